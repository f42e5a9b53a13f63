import { raw, Sql, sql, volatile } from './fragment.ts'
import { quoteName } from './quote-name.ts'
import type { RowChange, Statement, TableUse } from './statement.ts'
import { declaredTable, type TableReference } from './table-names.ts'

/** A model of the registry, or any other object with the name of a model and its table. */
interface ModelTable {
  /** `app.model`. */
  readonly name: string
  readonly table: string
}

/**
 * A source with a table: a model or relation of the registry, or its name in a declaration: `dcim.site`,
 * `dcim.site.asns`.
 */
type TableSource = ModelTable | TableReference | string

function referenceTo(source: TableSource): TableReference {
  if (typeof source !== 'string') {
    return 'model' in source ? source : { table: source.table, model: source.name }
  }
  return declaredTable(source)
}

/** The quoted name of a table. A name of a model or relation is resolved when the statement is built. */
class TableSql extends Sql {
  readonly #source: TableSource
  readonly #useOf: (reference: TableReference) => TableUse

  constructor(source: TableSource, useOf: (reference: TableReference) => TableUse) {
    super([''], [])
    this.#source = source
    this.#useOf = useOf
  }

  protected override write(statement: Statement): void {
    const reference = referenceTo(this.#source)
    statement.addUse(this.#useOf(reference))
    statement.text += quotedTable(reference.table)
  }
}

/** There are few tables, and each statement names some of them. */
const quotedTables = new Map<string, string>()

function quotedTable(name: string): string {
  const quoted = quotedTables.get(name) ?? quoteName(name)
  quotedTables.set(name, quoted)
  return quoted
}

/** The table, for reading: sql`select t.id from ${table('dcim.site')} t where t.name = …`. */
export const table = (source: TableSource): Sql =>
  new TableSql(source, ({ table, model }) => ({ kind: 'read', table, model }))

/**
 * As `table`, for rows that the statement reads only if `column`, the type of a generic relation, is one of the types.
 * Row-level security then leaves out rows of all other types, without checking which of their objects are visible.
 */
export const tableOfTypes = (source: TableSource, column: string, types: readonly string[]): Sql =>
  new TableSql(source, ({ table, model }) => ({ kind: 'typed read', table, model, column, types }))

/**
 * The rows `t` of the table with these ids: sql`select ${identifier('t', 'name')} from ${rowsOf('dcim.site', [1])}`. A
 * result that is cached then depends on these rows and on no other rows.
 */
export const rowsOf = (source: TableSource, ids: readonly number[]): Sql =>
  sql`${new TableSql(source, ({ table, model }) => ({ kind: 'row read', table, model, ids }))} t where t.id = any(${ids}::bigint[])`

const written = (source: TableSource, change: RowChange | undefined): Sql =>
  new TableSql(source, ({ table, model }) => ({ kind: 'write', table, model, change }))

/** Change of a statement that only inserts rows: existing rows are not changed. */
export const ONLY_INSERTS: RowChange = { rows: [], columns: undefined }

/**
 * sql`${insertInto('dcim.site')} (name) values (…)`. `change` as for `updateTable`; ONLY_INSERTS unless it updates on
 * conflict.
 */
export const insertInto = (source: TableSource, change?: RowChange): Sql => sql`insert into ${written(source, change)}`

/**
 * sql`${updateTable('dcim.site')} set …`. `change`: upper bound of the rows and columns that it changes, so that cached
 * results that depend on other rows or columns stay valid; without it, everything that depends on the model is
 * invalidated.
 */
export const updateTable = (source: TableSource, change?: RowChange): Sql => sql`update ${written(source, change)}`

/** sql`${deleteFrom('dcim.site')} where …`. `change` as for `updateTable`. */
export const deleteFrom = (source: TableSource, change?: RowChange): Sql => sql`delete from ${written(source, change)}`

/**
 * The quoted name of a table whose use is not recorded: for the definition of tables, and of views that replace them.
 */
export const tableName = (name: string): Sql => raw(quoteName(name))

/**
 * A table of PostgreSQL, or of the service itself, without a model. It may change without notice, so results of the
 * statement are not cached.
 */
export const systemTable = (name: string): Sql => volatile`${tableName(name)}`
