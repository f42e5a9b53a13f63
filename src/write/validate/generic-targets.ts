import { applyRowSecurity, type RowSecurity } from '../../read/query/row-security.ts'
import type { GenericForeignKeyField } from '../../schema/field.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { addRefusal, type Draft } from '../draft.ts'

const TYPE_MISSING = 'An object id requires an object type.'

/** Generic relations of a model. */
export const genericFields = oncePer(
  (
    model: Model,
  ): readonly {
    readonly field: GenericForeignKeyField
    readonly type: string
    readonly id: string
  }[] =>
    [...model.fields].flatMap(([name, field]) =>
      field.kind === 'genericForeignKey' ? [{ field, ...genericKeys(name, field) }] : [],
    ),
)

/**
 * Checks that type and id are both set or both empty, and that the object exists among those that `security` shows: one
 * query for the whole batch. The error is on the missing part, or on the id.
 */
export async function checkGenericTargets(
  context: WriteContext,
  drafts: readonly Draft[],
  security: RowSecurity,
): Promise<void> {
  const model = drafts[0]?.model
  const fields = model ? genericFields(model).filter(({ field }) => !field.hidden) : []
  const targets: { draft: Draft; key: string; type: string; id: number }[] = []
  for (const draft of drafts) {
    for (const keys of fields) {
      const type = draft.next[keys.type]
      const id = draft.next[keys.id]
      if (typeof id === 'number' && id < 0) {
        addRefusal(draft, { [keys.id]: 'Ensure this value is greater than or equal to 0.' })
        if (typeof type !== 'string') addRefusal(draft, { [keys.type]: TYPE_MISSING })
        continue
      }
      if (typeof type === 'string' && !isTarget(context, keys.field, type)) {
        addRefusal(draft, { __all__: `Objects of type ${type} cannot be used here.` })
      } else if (typeof type === 'string' && typeof id === 'number') {
        if (isChanged(draft, keys.type, keys.id)) targets.push({ draft, key: keys.id, type, id })
      } else if (typeof type === 'string') {
        addRefusal(draft, { [keys.id]: 'An object type requires an object id.' })
      } else if (typeof id === 'number') {
        addRefusal(draft, { [keys.type]: TYPE_MISSING })
      }
    }
  }
  const existing = await findTargets(context, targets, security)
  for (const { draft, key, type, id } of targets) {
    if (!existing.has(`${type} ${id}`)) {
      addRefusal(draft, { [key]: `Related object not found using the provided value: ${id}.` })
    }
  }
}

const isTarget = ({ service }: WriteContext, field: GenericForeignKeyField, type: string): boolean =>
  !field.lateTargets || service.registry.targets(field).some(({ name }) => name === type)

const isChanged = ({ previous, next }: Draft, type: string, id: string): boolean =>
  !previous || previous[type] !== next[type] || previous[id] !== next[id]

async function findTargets(
  { service, transaction }: WriteContext,
  targets: readonly { readonly type: string; readonly id: number }[],
  security: RowSecurity,
): Promise<ReadonlySet<string>> {
  if (targets.length === 0) return new Set()
  const parts = [...Map.groupBy(targets, ({ type }) => type)].map(([type, list]) => {
    const target = service.registry.model(type)
    const ids = [...new Set(list.map(({ id }) => id))]
    return sql`select ${type}::text as type, id from ${table(target)} where id = any(${ids}::bigint[])`
  })
  const rows = await transaction.query<{ type: string; id: number }>(
    applyRowSecurity(security, join(parts, ' union all ')),
  )
  return new Set(rows.map(({ type, id }) => `${type} ${id}`))
}
