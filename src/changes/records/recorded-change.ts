import type { Json } from '../../schema/json.ts'
import { parseJson } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { empty, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import type { UndoData } from '../../write/record/undo-data.ts'
import { type ChangeRow, dataOf, parseData } from '../stream/change-row.ts'
import { withPresentNames } from './renamed-fields.ts'

/** Columns that events have too. */
type Shared =
  | ('id' | 'time' | 'user_id' | 'user_name' | 'request_id' | 'action' | 'type')
  | ('object_id' | 'object_repr' | 'message' | 'before' | 'after')

/** A change record with the data that an undo needs. */
export interface RecordedChange extends Record<string, unknown>, Pick<ChangeRow, Shared> {
  /** JSON text of UndoData. */
  readonly undo: string | null
  /** JSON text. */
  readonly context: string | null
}

/** Values of an object by name. */
export type ChangeValues = Readonly<Record<string, Json>>

/** The change records `t` that meet the condition, the oldest first. */
export const loadChanges = (queryable: Queryable, condition: Sql): Promise<RecordedChange[]> =>
  selectChanges(queryable, condition, sql`t.id`)

/** Like `loadChanges`, with another order and with `clauses`, such as a limit, at the end of the statement. */
export async function selectChanges(
  queryable: Queryable,
  condition: Sql,
  order: Sql,
  clauses: Sql = empty,
): Promise<RecordedChange[]> {
  const changes = await queryable.query<RecordedChange>(sql`
    select t.id, t.time, t.user_id, t.user_name, t.request_id, t.action,
      t.changed_object_type as type, t.changed_object_id as object_id, t.object_repr, t.message,
      t.prechange_data as before, t.postchange_data as after,
      t.undo_data as undo, t.object_context as context
    from ${table(SYSTEM.objectChange)} t where ${condition} order by ${order} ${clauses}`)
  return await withPresentNames(queryable, changes)
}

/** The object before the change; empty if it did not exist. */
export const valuesBefore = ({ before }: Pick<RecordedChange, 'before'>): ChangeValues => valuesOf(before)

/** The object after the change; empty if it no longer existed. */
export const valuesAfter = ({ after }: Pick<RecordedChange, 'after'>): ChangeValues => valuesOf(after)

function valuesOf(text: string | null): ChangeValues {
  const data = dataOf(text)
  return data === undefined ? {} : parseData(data)
}

/** The undo data; empty if the record has none. */
export const undoDataIn = ({ undo }: Pick<RecordedChange, 'undo'>): UndoData =>
  undo === null ? { row: {} } : (parseJson(undo) as UndoData) // written by write/record/changelog.ts

/** Names of the fields in which the values differ, in their order. */
export const changedNames = (before: ChangeValues, after: ChangeValues): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !hasSameValue(before[name], after[name]),
  )

/** Whether two recorded values are equal. */
export const hasSameValue = (left: Json | undefined, right: Json | undefined): boolean =>
  JSON.stringify(left ?? null) === JSON.stringify(right ?? null)
