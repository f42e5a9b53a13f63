import type { Model } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import type { WriteContext } from '../../write/context.ts'
import { type Draft, errorMessagesOf } from '../../write/draft.ts'
import type { DraftRow, StoredRow } from '../../write/rows.ts'
import { namesakesOf } from '../../write/validate/unique.ts'
import { changedNames, loadChanges, valuesAfter, valuesBefore } from '../records/recorded-change.ts'
import type { Conflict } from './conflict.ts'

/** A row between its change record and the table, for validation. */
export const draftOf = (
  model: Model,
  next: DraftRow,
  previous: StoredRow | undefined,
  sent: Iterable<string> = [],
): Draft => ({
  model,
  form: model,
  mode: previous ? 'change' : 'create',
  previous,
  next,
  sent: new Set(sent),
  errors: new Map(),
  references: [],
  tags: {},
  customFields: undefined,
  message: '',
})

/** A conflict for each draft that validation has refused; it names the object that has its values, if there is one. */
export async function refusedDrafts(context: WriteContext, drafts: readonly Draft[]): Promise<readonly Conflict[]> {
  const refused = drafts.filter(({ errors }) => errors.size > 0)
  if (refused.length === 0) return []
  const namesakes = await namesakesOf(context, refused)
  const causes = await causesOf(context, refused, new Set([...namesakes.values()].map(({ other }) => other)))
  return refused.map((draft): Conflict => {
    const { model, next } = draft
    const other = namesakes.get(next.id)?.other
    return {
      reason: other === undefined ? 'refused' : 'duplicate',
      object: { type: model.name, id: next.id },
      messages: errorMessagesOf(draft),
      ...(other !== undefined && {
        other: { type: model.name, id: other },
        cause: causes.get(other),
      }),
    }
  })
}

/** A conflict for each draft whose unique values another object has. `gone`: ids of objects that will not exist. */
export async function duplicateDrafts(
  context: WriteContext,
  drafts: readonly Draft[],
  gone: readonly number[],
): Promise<readonly Conflict[]> {
  const namesakes = await namesakesOf(context, drafts, gone)
  const causes = await causesOf(context, drafts, new Set([...namesakes.values()].map(({ other }) => other)))
  return drafts.flatMap(({ model, next }): readonly Conflict[] => {
    const other = namesakes.get(next.id)?.other
    if (other === undefined) return []
    const object = { type: model.name, id: next.id }
    return [{ reason: 'duplicate', object, other: { type: model.name, id: other }, cause: causes.get(other) }]
  })
}

/** Ids of the latest change records that gave the objects their unique values, by the object's id. */
async function causesOf(
  { transaction }: WriteContext,
  [draft]: readonly Draft[],
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, number>> {
  if (!draft || ids.size === 0) return new Map()
  const { model } = draft
  const names = uniqueNames(model)
  const changes = await loadChanges(
    transaction,
    sql`t.changed_object_type = ${model.name} and t.changed_object_id = any(${[...ids]}::bigint[])`,
  )
  return new Map(
    changes
      .filter((change) => changedNames(valuesBefore(change), valuesAfter(change)).some((name) => names.has(name)))
      .map((change) => [change.object_id, change.id]),
  )
}

/** Names of the fields whose values must differ between objects. */
export const uniqueNames = ({ fields, definition }: Model): ReadonlySet<string> =>
  new Set([
    ...[...fields].flatMap(([name, field]) => ('unique' in field && field.unique ? [name] : [])),
    ...(definition.unique ?? []).flatMap((unique) => unique.fields),
  ])
