import { oncePer } from '../schema/once-per.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { identifier, type Sql, sql } from '../sql/fragment.ts'
import { deleteFrom, insertInto, ONLY_INSERTS, table } from '../sql/table.ts'
import type { Transaction } from '../storage/database.ts'
import {
  CUSTOM,
  ENTRY_COLUMNS,
  entriesOfCustomFields,
  entriesOfFields,
  type SearchedField,
  searchedFields,
} from './entries.ts'

/** A row of a write, as far as entries depend on it. */
type Row = Readonly<Record<string, unknown>> & { readonly id: number }

/** Where entries are written: `send`, so that no write waits for them. */
type Writes = Pick<Transaction, 'send'>

/** Inserts the entries of new rows: one statement, one more for values beyond their columns, one for custom fields. */
export function addEntries(
  writes: Writes,
  registry: Registry,
  model: Model,
  rows: readonly Row[],
): void {
  const fields = searchedFields(registry).get(model)
  if (!fields || rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  insertFields(writes, model, fields, rows)
  if (rows.some(hasCustomValues)) insert(writes, entriesOfCustomFields(model, isOneOf(ids)))
}

/**
 * Replaces the entries of changed rows in the fields that have changed, and those of rows that show the display of one of
 * them. `changed`: keys of the columns in which any row has changed.
 */
export function replaceEntries(
  writes: Writes,
  registry: Registry,
  model: Model,
  rows: readonly Row[],
  changed: ReadonlySet<string>,
): void {
  const ids = rows.map(({ id }) => id)
  if (changed.size === 0) return
  const fields = searchedFields(registry).get(model) ?? []
  // The display may follow from any column.
  const stale = fields.filter(({ name }) => name === 'display' || changed.has(name))
  if (stale.length > 0) {
    const names = stale.map(({ name }) => name)
    writes.send(sql`${deleteEntries(model)} and object_id = any(${ids}::bigint[])
      and field = any(${names}::text[])`)
    insertFields(writes, model, stale, rows)
  }
  if (fields.length > 0 && changed.has('custom_fields')) {
    writes.send(sql`${deleteEntries(model)} and object_id = any(${ids}::bigint[])
      and starts_with(field, ${CUSTOM})`)
    insert(writes, entriesOfCustomFields(model, isOneOf(ids)))
  }
  for (const shown of showingFields(registry).get(model) ?? []) {
    const isShowing = sql`t.${shown.column} = any(${ids}::bigint[])`
    writes.send(sql`${deleteEntries(shown.model)} and field = ${shown.field.name}
      and object_id in (select t.id from ${table(shown.model)} t where ${isShowing})`)
    insert(writes, entriesOfFields(shown.model, [shown.field], isShowing))
  }
}

/** Deletes the entries of deleted rows. */
export function removeEntries(
  writes: Writes,
  registry: Registry,
  model: Model,
  ids: readonly number[],
): void {
  if (!searchedFields(registry).has(model) || ids.length === 0) return
  writes.send(sql`${deleteEntries(model)} and object_id = any(${ids}::bigint[])`)
}

/** Definition of a custom field before or after a write. */
export interface CustomFieldRow {
  readonly id: number
  readonly name?: unknown
  readonly object_types?: unknown
  readonly search_weight?: unknown
}

/** Replaces the entries of custom fields whose definitions have been written: two statements for each object type. */
export function replaceCustomFieldEntries(
  writes: Writes,
  registry: Registry,
  rows: readonly CustomFieldRow[],
): void {
  const searched = rows.filter(({ search_weight: weight }) => Number(weight) > 0)
  const types = new Set(searched.flatMap(({ object_types: names }) => names as readonly string[]))
  const names = [...new Set(searched.map(({ name }) => String(name)))]
  const isWritten = sql`f.id = any(${searched.map(({ id }) => id)}::bigint[])`
  for (const model of searchedFields(registry).keys()) {
    if (!types.has(model.name)) continue
    writes.send(
      sql`${deleteEntries(model)} and field in (select ${CUSTOM} || n from unnest(${names}::text[]) n)`,
    )
    insert(writes, entriesOfCustomFields(model, isWritten))
  }
}

interface ShowingField {
  readonly model: Model
  readonly field: SearchedField
  /** The foreign key. */
  readonly column: Sql
}

/** Searched fields that show the display of rows of another model, by that model. */
const showingFields = oncePer((registry: Registry): ReadonlyMap<Model, readonly ShowingField[]> => {
  const showing = [...searchedFields(registry)].flatMap(([model, fields]) =>
    fields.flatMap((field) => {
      const column = model.columns.get(field.name)
      if (!field.shows || !column) return []
      return [{ to: field.shows, model, field, column: identifier(column.name) }]
    }),
  )
  return Map.groupBy(showing, ({ to }) => to)
})

const isOneOf = (ids: readonly number[]): Sql => sql`t.id = any(${ids}::bigint[])`

const deleteEntries = ({ name }: Model): Sql =>
  sql`${deleteFrom(SYSTEM.searchEntry)} where object_type = ${name}`

/** Values of columns come from the rows: to read them again would cost more, and on a table that has grown a lot more. */
function insertFields(
  writes: Writes,
  model: Model,
  fields: readonly SearchedField[],
  rows: readonly Row[],
): void {
  const entries = fields
    .filter(({ isPlain }) => isPlain)
    .flatMap(({ name, kind, weight }) =>
      rows.map((row) => ({ id: row.id, name, kind, weight, value: textIn(row[name]) })),
    )
    .filter(({ value }) => value !== '')
  if (entries.length > 0) {
    const column = <Key extends keyof (typeof entries)[number]>(key: Key) =>
      entries.map((entry) => entry[key])
    insert(
      writes,
      sql`select ${model.name}::text, q.* from unnest(${column('id')}::bigint[], ${column('name')}::text[],
        ${column('kind')}::text[], ${column('value')}::text[], ${column('weight')}::smallint[]) q`,
    )
  }
  const others = fields.filter(
    ({ name, isPlain }) => !isPlain && rows.some((row) => row[name] !== null),
  )
  if (others.length > 0)
    insert(writes, entriesOfFields(model, others, isOneOf(rows.map(({ id }) => id))))
}

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function insert(writes: Writes, entries: Sql | undefined): void {
  if (!entries) return
  writes.send(sql`${insertInto(SYSTEM.searchEntry, ONLY_INSERTS)} (${ENTRY_COLUMNS}) ${entries}`)
}

const hasCustomValues = ({ custom_fields: values }: Row): boolean =>
  typeof values === 'object' &&
  values !== null &&
  Object.values(values).some((value) => value !== null && value !== '')
