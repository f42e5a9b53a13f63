import { ApiError } from '../../base/errors.ts'
import { T } from '../../read/query/alias.ts'
import { displayOf } from '../../read/query/display.ts'
import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { OnDelete } from '../../schema/field.ts'
import type { Model, Referrer } from '../../schema/registry.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { systemTable, table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { referredByAbsent } from '../validate/violation.ts'

/** All rows that a deletion deletes or changes. */
export interface Dependents {
  /** Ids to delete, by model, in the order of discovery: dependents last. */
  readonly deleted: ReadonlyMap<Model, ReadonlySet<number>>
  /** References to clear in remaining rows. */
  readonly emptied: readonly DependentReference[]
  /** Many to many references to deleted rows, in remaining rows. */
  readonly unlinked: readonly DependentReference[]
}

export interface DependentReference {
  readonly referrer: Referrer
  /** The referring row, and the row of the model `to` that it refers to. */
  readonly id: number
  readonly target: number
  readonly to: Model
}

/** Ids of rows by their model. */
export type RowIds = ReadonlyMap<Model, ReadonlySet<number>>

/** Maximum number of objects in an error message. */
const NAMED = 5

/**
 * Everything that the deletion of the objects deletes or changes. Throws `inUse` if a remaining row protects an object.
 */
export async function findDependents(context: WriteContext, targets: RowIds): Promise<Dependents> {
  const { deleted, references } = await followReferences(context, targets)
  // Rows that are deleted too neither protect others nor need changes.
  const staying = references.filter(({ referrer, id }) => !deleted.get(referrer.model)?.has(id))
  const by = Map.groupBy(staying, ({ referrer }) => actionOf(referrer))
  const blocking = [...(by.get('protect') ?? []), ...(by.get('restrict') ?? [])]
  if (blocking.length > 0) throw await inUse(context, blocking)
  await refuseForAbsentPlugins(context, deleted)
  return { deleted, emptied: by.get('setNull') ?? [], unlinked: by.get('unlink') ?? [] }
}

/**
 * Throws `inUse` if rows of a plugin that is not loaded refer to an object by a generic relation, which no foreign key
 * protects.
 */
async function refuseForAbsentPlugins({ service, transaction }: WriteContext, deleted: RowIds): Promise<void> {
  const parts = (service.absentRelations ?? []).flatMap((relation) =>
    [...deleted].map(
      ([model, ids]) => sql`
        select ${relation.table}::text as name from ${systemTable(relation.table)}
        where ${identifier(relation.type)} = ${model.name} and ${identifier(relation.id)} = any(${[...ids]}::bigint[])`,
    ),
  )
  if (parts.length === 0) return
  const [referrer] = await transaction.query<{ name: string }>(sql`${join(parts, ' union all ')} limit 1`)
  if (referrer) throw new ApiError({ kind: 'inUse', detail: referredByAbsent(referrer.name) })
}

/**
 * Follows all relations to the objects, level by level: one statement per level. Returns the ids that a deletion would delete, dependents
 * last, and all references to them.
 */
export async function followReferences(
  context: WriteContext,
  targets: RowIds,
): Promise<{ readonly deleted: RowIds; readonly references: readonly DependentReference[] }> {
  const deleted = new Map<Model, Set<number>>()
  const references: DependentReference[] = []
  let level = targets
  while (level.size > 0) {
    for (const [model, modelIds] of level) {
      deleted.set(model, new Set([...(deleted.get(model) ?? []), ...modelIds]))
    }
    const referring = await findReferences(context, level)
    const next = new Map<Model, Set<number>>()
    for (const reference of referring) {
      references.push(reference)
      const { referrer, id } = reference
      if (actionOf(referrer) !== 'cascade' || deleted.get(referrer.model)?.has(id)) continue
      next.set(referrer.model, (next.get(referrer.model) ?? new Set()).add(id))
    }
    level = next
  }
  return { deleted, references }
}

/** Effect of a deletion on the referring row. */
export function actionOf(referrer: Referrer): OnDelete | 'unlink' | 'keep' {
  return referrer.kind === 'manyToMany' ? 'unlink' : referrer.field.onDelete
}

/** The references to the objects, in rows of any model; references that may outlast a deletion are left out. */
export async function findReferences(
  { transaction }: Pick<WriteContext, 'transaction'>,
  level: RowIds,
): Promise<readonly DependentReference[]> {
  const searches = [...level].flatMap(([model, ids]) =>
    model.referrers
      .filter((referrer) => actionOf(referrer) !== 'keep')
      .map((referrer) => ({ model, ids: [...ids], referrer })),
  )
  if (searches.length === 0) return []
  const parts = searches.map(({ model, ids, referrer }, index) => select(model, ids, referrer, index))
  transaction.send(BY_INDEX_ONLY)
  const finding = transaction.queryArrays(join(parts, ' union all '))
  transaction.send(BY_ANY_PLAN)
  const rows = await finding
  return rows.flatMap(([index, id, target]) => {
    const query = searches[Number(index)]
    if (!query) return []
    const { referrer, model: to } = query
    return [{ referrer, id: Number(id), target: Number(target), to }]
  })
}

/**
 * A plan for an average object would read whole tables if many rows refer to each, as all interfaces do to a few sites.
 * Usually nothing refers to an object that is deleted. Deleting a site takes 0.44 of the time.
 */
const BY_INDEX_ONLY = sql`set local enable_seqscan = off`
/** For the statements that follow in the transaction: change records, effects, events. */
const BY_ANY_PLAN = sql`set local enable_seqscan to default`

function select(model: Model, ids: readonly number[], referrer: Referrer, index: number): Sql {
  const idList = sql`${ids}::bigint[]`
  if (referrer.kind === 'manyToMany') {
    const ownColumn = identifier(referrer.table.ownColumn)
    const otherColumn = identifier(referrer.table.otherColumn)
    return sql`select ${index}::int, ${ownColumn}, ${otherColumn}
      from ${table(referrer.table)} where ${otherColumn} = any(${idList})`
  }
  const rows = table(referrer.model)
  if (referrer.kind === 'foreignKey') {
    const column = identifier(referrer.column.name)
    return sql`select ${index}::int, id, ${column} from ${rows} where ${column} = any(${idList})`
  }
  const type = identifier(referrer.typeColumn.name)
  const id = identifier(referrer.idColumn.name)
  return sql`select ${index}::int, id, ${id} from ${rows}
    where ${type} = ${model.name} and ${id} = any(${idList})`
}

/**
 * Error that names some of the protecting objects per model, and their number. About hidden objects, it reveals only
 * that they exist.
 */
async function inUse(context: WriteContext, blocking: readonly DependentReference[]): Promise<ApiError> {
  const parts: string[] = []
  const referring = new Map<string, readonly number[]>()
  const security = context.security
  let isHidden = false
  for (const [model, list] of Map.groupBy(blocking, ({ referrer }) => referrer.model)) {
    const all = [...new Set(list.map(({ id }) => id))]
    const seen = await context.transaction.query<{ id: number }>(
      applyRowSecurity(
        security,
        sql`select t.id from ${table(model)} t where t.id = any(${all}::bigint[]) order by t.id`,
      ),
    )
    const ids = seen.map(({ id }) => id)
    if (ids.length < all.length) isHidden = true
    if (ids.length === 0) continue
    referring.set(model.name, ids)
    const rows = await context.transaction.query<{ display: string }>(sql`
      select ${displayOf(model, T)} as display from ${table(model)} t
      where t.id = any(${ids.slice(0, NAMED)}::bigint[]) order by t.id`)
    const [singular, plural] = model.definition.labels
    const more = ids.length > NAMED ? ', …' : ''
    const label = ids.length === 1 ? singular : plural
    parts.push(`${ids.length} ${label} (${rows.map(({ display }) => display).join(', ')}${more})`)
  }
  if (isHidden) parts.push('something that you may not view')
  const detail = `Unable to delete: other objects depend on it: ${parts.join('; ')}.`
  return new ApiError({
    kind: 'inUse',
    detail,
    objects: blocking.map(({ to, target }) => ({ model: to.name, id: target })),
    referring,
    hasHiddenReferrers: isHidden,
  })
}
