import type { Column } from '../schema/column.ts'
import type { GenericForeignKeyField } from '../schema/field.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { columnsIn, empty, identifier, join, raw, type Sql, sql } from '../sql/fragment.ts'
import { table, tableName } from '../sql/table.ts'
import { T } from './alias.ts'
import { allVisible, NO_ROWS, type VisibleRows } from './row-predicate.ts'
import { type SecuredTable, securedTables } from './secured-tables.ts'

/** Row-level security of one user. */
export interface RowSecurity {
  readonly registry: Registry
  readonly visibleRows: VisibleRows
}

/**
 * The statement, a query over tables, restricted to what the user may view: hidden rows are not there, and references to them
 * are empty. It holds for every table that the statement reads, wherever it does so, because each is replaced as a whole:
 * `with dcim_site as (select … where …)`.
 */
export function applyRowSecurity({ registry, visibleRows }: RowSecurity, statement: Sql): Sql {
  if (visibleRows === allVisible) return statement
  const definitions = new SecurityViews(registry, visibleRows, columnsIn(statement)).of(statement)
  return definitions.length === 0 ? statement : sql`with ${join(definitions)} ${statement}`
}

/** The common table expressions that replace the tables of one statement. */
class SecurityViews {
  readonly #registry: Registry
  readonly #visibleRows: VisibleRows
  /** Names of columns by which the statement may find rows: they stay usable with an index. */
  readonly #names: ReadonlySet<string>
  readonly #tables: ReadonlyMap<string, SecuredTable>
  /** Ids of the visible rows by model, read from the tables themselves: defined before any is replaced. */
  readonly #visibleIds = new Map<Model, Sql>()

  constructor(registry: Registry, visibleRows: VisibleRows, names: ReadonlySet<string>) {
    this.#registry = registry
    this.#visibleRows = visibleRows
    this.#names = names
    this.#tables = securedTables(registry)
  }

  /** Definitions for the tables that the statement reads. */
  of(statement: Sql): readonly Sql[] {
    const replaced = statement.tables.flatMap((name) => {
      const secured = this.#tables.get(name)
      const view = secured && this.#view(secured)
      return view ? [sql`${tableName(name)} as not materialized (${view})`] : []
    })
    return [...this.#visibleIds.values(), ...replaced]
  }

  /** The query that replaces a table; undefined where nothing of it is hidden. */
  #view(secured: SecuredTable): Sql | undefined {
    if (secured.kind === 'model') return this.#viewOfModel(secured.model)
    const conditions = secured.ends.flatMap(
      ({ column, to }) => this.#isVisible(to, sql`t.${identifier(column)}`) ?? [],
    )
    if (conditions.length === 0) return undefined
    return sql`select t.* from ${table(secured.joined)} t where ${join(conditions, ' and ')}`
  }

  #viewOfModel(model: Model): Sql | undefined {
    const where = this.#ownRows(model)
    const joins: Sql[] = []
    let isReplaced = where !== undefined
    const columns = [...model.columns.values()].map((column) => {
      const masked = this.#masked(model, column, joins)
      if (!masked) return columnOf(column)
      isReplaced = true
      return sql`${masked} as ${identifier(column.name)}`
    })
    if (!isReplaced) return undefined
    const from = sql`${table(model, 'id')} t${joins.length > 0 ? join(joins, '') : empty}`
    return sql`select ${join(columns)} from ${from}${where ? sql` where ${where}` : empty}`
  }

  /** Predicate over `t` in the place of the model's own table. */
  #ownRows(model: Model): Sql | undefined {
    const predicate = this.#visibleRows(model)
    if (predicate === 'all') return undefined
    // A predicate that reads nothing but the row may stand here; others must not read replaced tables.
    const isPlain = predicate !== 'related' && !this.#readsOthers(predicate, model)
    return isPlain ? predicate : this.#isVisible(model, sql`t.id`)
  }

  #readsOthers(predicate: Sql, model: Model): boolean {
    return predicate.tables.some((name) => name !== model.table && this.#tables.has(name))
  }

  /** Condition that the row with the id is visible; undefined where all rows are. */
  #isVisible(model: Model, id: Sql): Sql | undefined {
    const predicate = this.#visibleRows(model)
    if (predicate === 'all') return undefined
    if (predicate === NO_ROWS) return NO_ROWS
    const name = visibleName(model)
    if (!this.#visibleIds.has(model)) {
      const where = predicate === 'related' ? this.#relatedRows(model) : predicate
      if (!where) return undefined
      this.#visibleIds.set(
        model,
        sql`${name} as not materialized (select t.id from ${table(model, 'id')} t where ${where})`,
      )
    }
    return sql`${id} in (select visible.id from ${name} visible)`
  }

  /** Rows that refer to nothing hidden. */
  #relatedRows(model: Model): Sql | undefined {
    const conditions = [...model.columns.values()].flatMap((column) => {
      const isThere = this.#refersToVisible(model, column)
      return isThere ? [sql`(${columnOf(column)} is null or ${isThere})`] : []
    })
    return conditions.length === 0 ? undefined : join(conditions, ' and ')
  }

  /**
   * The column, empty where it refers to a hidden row; undefined where it never does. A foreign key that the statement may
   * find rows by becomes the id of a row that is joined, so that an index on it can be used; others become an expression,
   * which costs nothing where it is not read.
   */
  #masked(model: Model, column: Column, joins: Sql[]): Sql | undefined {
    const isThere = this.#refersToVisible(model, column)
    if (!isThere) return undefined
    if (isThere === NO_ROWS) return sql`null::bigint`
    const { field } = column
    if (field.kind !== 'foreignKey' || !this.#names.has(column.name)) {
      return sql`case when ${isThere} then ${columnOf(column)} end`
    }
    const alias = raw(`s${joins.length}`)
    const visible = visibleName(this.#registry.model(field.to))
    joins.push(sql` left join ${visible} ${alias} on ${alias}.id = ${columnOf(column)}`)
    return sql`${alias}.id`
  }

  #refersToVisible(model: Model, column: Column): Sql | undefined {
    const { field } = column
    if (field.kind === 'foreignKey') {
      return this.#isVisible(this.#registry.model(field.to), columnOf(column))
    }
    if (field.kind !== 'genericForeignKey' || column.type === 'text') return undefined
    const type = [...model.columns.values()].find(
      (other) => other.field === field && other.type === 'text',
    )
    return type && this.#refersToAnyVisible(field, columnOf(type), columnOf(column))
  }

  #refersToAnyVisible(field: GenericForeignKeyField, type: Sql, id: Sql): Sql | undefined {
    const open: string[] = []
    const conditions: Sql[] = []
    for (const target of this.#registry.targets(field)) {
      const isVisible = this.#isVisible(target, id)
      if (!isVisible) open.push(target.name)
      else if (isVisible !== NO_ROWS) {
        conditions.push(sql`(${type} = ${target.name} and ${isVisible})`)
      }
    }
    if (open.length === this.#registry.targets(field).length) return undefined
    return sql`(${join([sql`${type} = any(${open}::text[])`, ...conditions], ' or ')})`
  }
}

/** Name of the query for the ids of a model's visible rows. */
const visibleName = ({ table: name }: Model): Sql => identifier(`visible ${name}`)

const columnOf = ({ name }: Column): Sql => sql`${T}.${identifier(name)}`
