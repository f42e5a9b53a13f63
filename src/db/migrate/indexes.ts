import { boundedName } from '../../schema/bounded-name.ts'
import { type Column, isOftenEmpty } from '../../schema/column.ts'
import type { Field } from '../../schema/field.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { OrderTerm } from '../../schema/model.ts'
import type { Model } from '../../schema/registry.ts'
import { quoted, quotedList } from './quote.ts'
import type { StoredIndex } from './stored-schema.ts'

/**
 * Longest text that an order index may hold, in characters: a B-tree refuses entries larger than a third of a page.
 */
const LONGEST_KEY = 600

/**
 * Indexes of the model's table besides its unique ones: on relations, on the columns of the default order, and on
 * columns that are searched by containment. `covered` are column lists of unique constraints, whose own indexes
 * already serve queries on their first columns.
 */
export function indexesOf(
  model: Model,
  covered: readonly (readonly string[])[],
): Readonly<Record<string, StoredIndex>> {
  const indexes: Record<string, StoredIndex> = {}
  const add = (words: readonly string[], definition: string) => {
    const name = boundedName(model.table, ...words, 'index')
    indexes[name] = { table: model.table, unique: false, definition }
  }
  const order = orderTerms(model)
  const isOrdered = order.length > 0 && !covered.some((columns) => startsWith(columns, order))
  if (isOrdered) {
    const terms = order.map(({ column, way }) => `${quoted(column)}${way}`)
    add(['order'], `(${[...terms, quoted('id')].join(', ')})`)
  }
  const firsts = new Set(covered.map(([first]) => first))
  if (isOrdered) firsts.add(order[0]?.column)
  const declared = declaredIndexes(model)
  for (const [first] of declared) firsts.add(first)
  // Lists with another default order are often sorted by name on request.
  const nameColumn = model.columns.get('name')
  if (nameColumn && isNaturalName(model, nameColumn) && !isTooLong(nameColumn) && !firsts.has(nameColumn.name)) {
    add([nameColumn.name, 'order'], `(${quoted(nameColumn.name)}, ${quoted('id')})`)
  }
  for (const [name, field] of model.fields) {
    if (field.kind === 'genericForeignKey') {
      const keys = genericKeys(name, field)
      const [type, id] = [columnOf(model, keys.type).name, columnOf(model, keys.id).name]
      if (covered.some((columns) => columns[0] === type && columns[1] === id)) continue
      add([type, id], `(${quotedList([type, id])})${field.nullable ? filled(type) : ''}`)
    }
    const column = model.columns.get(name)
    const method = column && methodOf(field)
    if (!column || !method || (method === PLAIN && firsts.has(column.name))) continue
    add([column.name], method(quoted(column.name)) + whereFilled(column))
  }
  for (const { name, type, field } of model.columns.values()) {
    // Hidden lists of texts exist only to be searched, even by every write, which would read a list of pending entries
    // each time.
    const isSearched = type === 'text[]' && 'hidden' in field && field.hidden
    if (isSearched && field.kind === 'list') add([name], `using gin (${quoted(name)}) with (fastupdate = off)`)
  }
  for (const names of declared) add(names, `(${quotedList(names)})`)
  if (model.definition.tree) add(['_ancestors'], `using gin (${quoted('_ancestors')})`)
  return indexes
}

/** Columns of the declared indexes; indexes on relations are not needed for their first columns. */
const declaredIndexes = (model: Model): readonly (readonly string[])[] =>
  (model.definition.indexes ?? []).flatMap((index) =>
    'fields' in index ? [index.fields.map((field) => columnOf(model, field).name)] : [],
  )

/**
 * Trigram indexes on names and on declared texts. Their expressions, collations and conditions must equal those of the comparisons
 * (read/query/fold.ts, read/query/text-filter.ts).
 */
export function trigramIndexesOf(model: Model): Readonly<Record<string, StoredIndex>> {
  const name = model.columns.get('name')
  const declared = (model.definition.indexes ?? []).flatMap((index) =>
    'partsOf' in index ? [columnOf(model, index.partsOf)] : [],
  )
  const columns = [...(name && isNaturalName(model, name) ? [name] : []), ...declared]
  return Object.fromEntries(
    columns.map((column) => {
      const collation = column.collation === 'natural' ? '"und-x-icu"' : 'case_fold'
      const text = quoted(column.name)
      const condition = isOftenEmpty(column) ? ` where ${text} <> ''` : ''
      const definition = `using gin (upper(${text} collate ${collation}) gin_trgm_ops)${condition}`
      const index = boundedName(model.table, column.name, 'parts', 'index')
      return [index, { table: model.table, unique: false, definition }]
    }),
  )
}

/** Trees are small and are sorted by path. */
const isNaturalName = ({ definition }: Model, { type, collation }: Column): boolean =>
  type === 'text' && collation === 'natural' && !definition.tree

/** A row whose relation is null is never looked up by it: leaving it out saves one index entry per empty relation. */
const whereFilled = ({ field, name, nullable }: Column): string =>
  field.kind === 'foreignKey' && nullable ? filled(name) : ''

const filled = (column: string): string => ` where ${quoted(column)} is not null`

const PLAIN = (column: string): string => `(${column})`

/** Index method for each kind of column. Columns of other kinds have no index of their own. */
const METHODS: Readonly<Record<string, (column: string) => string>> = {
  foreignKey: PLAIN,
  uuid: PLAIN,
  // Its expression and condition must equal those of read/query/held-custom-values.ts.
  customFields: (column) =>
    `using gin (jsonb_strip_nulls(${column}) jsonb_path_ops) where jsonb_strip_nulls(${column}) <> '{}'`,
  objectTypes: (column) => `using gin (${column})`,
  address: (column) => `using gist (${column} inet_ops)`,
  network: (column) => `using gist (${column} inet_ops)`,
}

function methodOf(field: Field): ((column: string) => string) | undefined {
  if (field.kind === 'list' && field.isSearched) return (column) => `using gin (${column})`
  if (field.kind === 'address' && field.isHost) return PLAIN
  return METHODS[field.kind]
}

interface Term {
  readonly column: string
  /** Text after the column: sort direction and position of nulls. */
  readonly way: string
}

/** The leading terms of the model's order that are columns of its own table. */
function orderTerms(model: Model): readonly Term[] {
  // Trees are sorted by lists of names, which may be longer than an index entry allows.
  if (model.definition.tree) return []
  const terms: Term[] = []
  for (const term of model.definition.endpointOrder ?? model.definition.order) {
    // No index has the order of the choices.
    if (typeof term !== 'string' && 'byChoice' in term) break
    const { name, way } = wayOf(term)
    const column = model.columns.get(name)
    if (!column || name === 'id' || isTooLong(column)) break
    terms.push({ column: column.name, way })
  }
  return terms
}

function wayOf(term: Exclude<OrderTerm, { readonly byChoice: true }>): { readonly name: string; readonly way: string } {
  if (typeof term !== 'string') {
    const way = `${term.descending ? ' desc' : ''} nulls ${term.nulls}`
    return { name: term.field, way }
  }
  return term.startsWith('-') ? { name: term.slice(1), way: ' desc' } : { name: term, way: '' }
}

const isTooLong = ({ field }: Column): boolean =>
  field.kind === 'text' && (field.max === undefined || field.max > LONGEST_KEY)

const startsWith = (columns: readonly string[], order: readonly Term[]): boolean =>
  order.every(({ column, way }, at) => columns[at] === column && way === '')

function columnOf(model: Model, key: string): Column {
  const column = model.columns.get(key)
  if (!column) throw new Error(`${model.name}: no column ${key}`)
  return column
}
