import type { Transaction } from '../../db/database.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { insertInto, ONLY_INSERTS } from '../../sql/table.ts'
import { type SearchedField, searchedFields } from './entries.ts'

/** Changes are recorded with the commit, because nothing reads them earlier. */
type Writes = Pick<Transaction, 'send'>

/** Objects per row, so that each turn of the indexing is short whatever the size of a write. */
const OBJECTS_PER_ROW = 500

/** Records that objects were created or deleted. */
export function noteUnindexed(writes: Writes, registry: Registry, model: Model, ids: readonly number[]): void {
  if (searchedFields(registry).has(model)) insertObjects(writes, model, ids, { isRenamed: false })
}

/**
 * Records that objects were changed, if the change concerns searched values. `changed`: keys of the columns that have
 * changed in any row.
 */
export function noteUnindexedUpdate(
  writes: Writes,
  registry: Registry,
  model: Model,
  ids: readonly number[],
  changed: ReadonlySet<string>,
): void {
  if (changed.size === 0) return
  const fields = searchedFields(registry).get(model) ?? []
  const isRenamed = showingFields(registry).has(model)
  const isSearched =
    // The display may depend on any column.
    fields.some(({ name }) => name === 'display' || changed.has(name)) ||
    (fields.length > 0 && changed.has('custom_fields'))
  if (isSearched || isRenamed) insertObjects(writes, model, ids, { isRenamed })
}

/** Definition of a custom field before or after a write. */
export interface CustomFieldRow {
  readonly id: number
  readonly name?: unknown
  readonly object_types?: unknown
  readonly search_weight?: unknown
}

/** Records that definitions of custom fields were written, so that their values are indexed again. */
export function noteUnindexedCustomFields(writes: Writes, registry: Registry, rows: readonly CustomFieldRow[]): void {
  const searched = rows.filter(({ search_weight: weight }) => Number(weight) > 0)
  const types = new Set(searched.flatMap(({ object_types: names }) => names as readonly string[]))
  const names = [...new Set(searched.map(({ name }) => String(name)))]
  const models = [...searchedFields(registry).keys()].filter(({ name }) => types.has(name))
  insert(
    writes,
    models.map(({ name }) => sql`(${name}, '[]', false, ${names}::text[])`),
  )
}

interface ShowingField {
  readonly model: Model
  readonly field: SearchedField
}

/** Searched fields that show the display of objects of another model, by that model. */
export const showingFields = oncePer((registry: Registry): ReadonlyMap<Model, readonly ShowingField[]> => {
  const showing = [...searchedFields(registry)].flatMap(([model, fields]) =>
    fields.flatMap((field) => (field.shows ? [{ to: field.shows, model, field }] : [])),
  )
  return Map.groupBy(showing, ({ to }) => to)
})

function insertObjects(
  writes: Writes,
  { name }: Model,
  ids: readonly number[],
  { isRenamed }: { readonly isRenamed: boolean },
): void {
  const rows: Sql[] = []
  for (let start = 0; start < ids.length; start += OBJECTS_PER_ROW) {
    const slice = JSON.stringify(ids.slice(start, start + OBJECTS_PER_ROW))
    rows.push(sql`(${name}, ${slice}::jsonb, ${isRenamed}, '{}')`)
  }
  insert(writes, rows)
}

function insert(writes: Writes, rows: readonly Sql[]): void {
  if (rows.length === 0) return
  writes.send(sql`${insertInto(SYSTEM.unindexedChange, ONLY_INSERTS)}
    (object_type, object_ids, is_renamed, custom_fields) values ${join(rows)}`)
}
