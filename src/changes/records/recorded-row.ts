import type { Column } from '../../schema/column.ts'
import type { ComputedField } from '../../schema/field.ts'
import type { Json } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { isLogged, isLoggedList } from '../../write/record/snapshot.ts'
import type { UndoData } from '../../write/record/undo-data.ts'
import { isDerived } from '../../write/validate/rules.ts'
import { objectTypeNames } from '../stream/object-type-names.ts'
import type { ChangeValues } from './recorded-change.ts'

/** Names that are needed to read snapshots. */
export interface RecordedNames {
  /** Names of object types by id. */
  readonly types: ReadonlyMap<number, string>
  /** Ids of tags by name. */
  readonly tags: ReadonlyMap<string, number>
}

/** Names that are needed to read change records. */
export async function recordedNames(service: Service): Promise<RecordedNames> {
  const tags = await service.database.query<{ id: number; name: string }>(
    sql`select id, name from ${table(SYSTEM.tag)}`,
  )
  return {
    types: await objectTypeNames(service),
    tags: new Map(tags.map(({ id, name }) => [name, id])),
  }
}

/** Values by row key (see write/rows.ts). */
export type RestoredValues = Readonly<Record<string, unknown>>

/**
 * The values of the named fields as rows have them, from a snapshot and its undo data. Names that are not part of a
 * row, such as the ends of a cable, are left out.
 */
export function rowValues(
  model: Model,
  names: readonly string[],
  values: ChangeValues,
  undo: UndoData,
  recorded: RecordedNames,
): RestoredValues {
  const row: Record<string, unknown> = {}
  const readers = readersOf(model)
  for (const name of names) {
    const read = readers.get(name)
    if (read) row[name] = undo.row[name] ?? read(values[name] ?? null, recorded)
  }
  return row
}

/** All values of a recorded object. */
export const wholeRow = (
  model: Model,
  values: ChangeValues,
  undo: UndoData,
  recorded: RecordedNames,
): RestoredValues => ({
  ...undo.row,
  ...rowValues(model, Object.keys(values), values, undo, recorded),
})

type ReadValue = (value: Json, recorded: RecordedNames) => unknown

const readersOf = oncePer((model: Model): ReadonlyMap<string, ReadValue> => {
  const readers = new Map<string, ReadValue>()
  for (const column of model.columns.values()) {
    if (isLogged(column) && !isDerived(model, column)) readers.set(column.key, readerOf(column))
  }
  for (const [name, field] of model.fields) {
    if (field.kind === 'tags') readers.set('tags', tagIds)
    else if (field.kind === 'manyToMany' && isLoggedList(field)) readers.set(name, asList)
    else if (field.kind === 'computed' && field.recorded?.isValue && field.input)
      readers.set(name, bodyReader(field.input))
  }
  return readers
})

/** Reads a value in the form of the body. */
const bodyReader =
  (input: NonNullable<ComputedField['input']>): ReadValue =>
  (value) => {
    const read = input(value)
    return 'value' in read ? read.value : []
  }

const asList: ReadValue = (value) => (Array.isArray(value) ? value : [])

const tagIds: ReadValue = (value, { tags }) =>
  Array.isArray(value) ? value.flatMap((name) => tags.get(String(name)) ?? []) : []

function readerOf({ field, type }: Column): ReadValue {
  const isType = field.kind === 'objectType' || (field.kind === 'genericForeignKey' && type === 'text')
  if (isType) return (value, { types }) => (value === null ? null : (types.get(Number(value)) ?? null))
  if (field.kind === 'objectTypes') {
    return (value, { types }) => (Array.isArray(value) ? value.flatMap((id) => types.get(Number(id)) ?? []) : [])
  }
  return (value) => value
}
