import { raw, Sql, sql, volatile } from './fragment.ts'
import { quoteName } from './quote-name.ts'
import type { StatementBuilder } from './statement.ts'
import { declaredTable, type TableReference } from './table-names.ts'

/** A model of the registry, or anything else that names a model and its table. */
interface ModelTable {
  /** `app.model`. */
  readonly name: string
  readonly table: string
}

/**
 * What has a table: a model or a relation of the registry, or the name of either, for declarations: `dcim.site`,
 * `dcim.site.asns`.
 */
export type TableSource = ModelTable | TableReference | string

function referenceTo(source: TableSource): TableReference {
  if (typeof source !== 'string') {
    return 'model' in source ? source : { table: source.table, model: source.name }
  }
  return declaredTable(source)
}

/** The quoted name of a table. A source that is a name is looked up when the statement is put together. */
class TableSql extends Sql {
  readonly #source: TableSource
  readonly #access: 'read' | 'write'
  readonly #columns: readonly string[]

  constructor(source: TableSource, access: 'read' | 'write', columns: readonly string[] = []) {
    super([''], [])
    this.#source = source
    this.#access = access
    this.#columns = columns
  }

  override get columns(): readonly string[] {
    return this.#columns
  }

  protected override write(builder: StatementBuilder): void {
    const reference = referenceTo(this.#source)
    if (this.#access === 'read') builder.addRead(reference)
    else builder.addWrite(reference)
    builder.text += quoteName(reference.table)
  }
}

/** Fragments of the registry's tables, which come with every request. */
const read = new WeakMap<object, Sql>()

/**
 * The table, to be read: sql`select id from ${table('dcim.site')} where …`. `columns`: foreign keys by which the statement
 * finds rows and which it names by text; row-level security then keeps their indexes in use.
 */
export function table(source: TableSource, ...columns: readonly string[]): Sql {
  if (typeof source === 'string' || columns.length > 0) {
    return new TableSql(source, 'read', columns)
  }
  const cached = read.get(source)
  if (cached) return cached
  const created = new TableSql(source, 'read')
  read.set(source, created)
  return created
}

/** sql`${insertInto('dcim.site')} (name) values (…)`. */
export const insertInto = (source: TableSource): Sql =>
  sql`insert into ${new TableSql(source, 'write')}`

/** sql`${updateTable('dcim.site')} set …`. */
export const updateTable = (source: TableSource): Sql =>
  sql`update ${new TableSql(source, 'write')}`

/** sql`${deleteFrom('dcim.site')} where …`. */
export const deleteFrom = (source: TableSource): Sql =>
  sql`delete from ${new TableSql(source, 'write')}`

/** The quoted name of a table whose use is not recorded: for the definition of tables, and of views that replace them. */
export const tableName = (name: string): Sql => raw(quoteName(name))

/**
 * A table of PostgreSQL, or of the service itself, behind which there is no model. It may change unnoticed, so that results
 * of the statement are not cached.
 */
export const systemTable = (name: string): Sql => volatile`${tableName(name)}`
