import type { Column } from '../../schema/column.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { JoinTable, Model, Registry } from '../../schema/registry.ts'
import { isColumnRead, type ReadColumns, readColumns } from '../../sql/column-names.ts'
import { empty, identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table, tableName } from '../../sql/table.ts'
import { T } from './alias.ts'
import { allVisible, NO_ROWS, type VisibleRows } from './row-predicate.ts'

/** Row-level security of one user. */
export interface RowSecurity {
  readonly registry: Registry
  readonly visibleRows: VisibleRows
}

/**
 * The statement, a query over tables, restricted to what the user may view: hidden rows do not exist for it, and
 * references to them are empty. It applies to every table that the statement reads, anywhere in it, because each table
 * is replaced as a whole: `with dcim_site as (select … where …)`.
 *
 * `sums`: queries over all rows, by the names under which the statement reads them. They are for figures that are the
 * same for everyone who may view the object, such as the occupied units of a rack.
 */
export function applyRowSecurity(
  { registry, visibleRows }: RowSecurity,
  statement: Sql,
  sums: Readonly<Record<string, Sql>> = {},
): Sql {
  // They are defined before any table is replaced.
  const open = Object.entries(sums).map(([name, query]) => sql`${identifier(name)} as (${query})`)
  const secured = visibleRows === allVisible ? [] : new SecurityViews(registry, visibleRows, statement).definitions()
  const definitions = [...open, ...secured]
  return definitions.length === 0 ? statement : sql`with ${join(definitions)} ${statement}`
}

/** The common table expressions that replace the tables of one statement. */
class SecurityViews {
  readonly #registry: Registry
  readonly #visibleRows: VisibleRows
  readonly #statement: Sql
  /** Columns that the statement may read. Columns that the statement names can still be used with an index. */
  readonly #columns: ReadColumns
  readonly #tables: ReadonlyMap<string, SecuredTable>
  /** Ids of the visible rows by model, read from the tables themselves: defined before any table is replaced. */
  readonly #visibleIds = new Map<Model, Sql>()
  /** Models whose visible rows are being determined by what they refer to. */
  readonly #pending = new Set<Model>()

  constructor(registry: Registry, visibleRows: VisibleRows, statement: Sql) {
    this.#registry = registry
    this.#visibleRows = visibleRows
    this.#statement = statement
    this.#columns = readColumns(statement)
    this.#tables = securedTables(registry)
  }

  /** Definitions for the tables that the statement reads. */
  definitions(): readonly Sql[] {
    const replaced = this.#statement.tables.flatMap((name) => {
      const secured = this.#tables.get(name)
      const view = secured && this.#view(secured)
      return view ? [sql`${tableName(name)} as not materialized (${view})`] : []
    })
    return [...this.#visibleIds.values(), ...replaced]
  }

  /** The query that replaces a table; undefined if none of its rows are hidden. */
  #view(secured: SecuredTable): Sql | undefined {
    if (secured.kind === 'model') return this.#viewOfModel(secured.model)
    const conditions = secured.ends.flatMap(({ column, to }) => this.#isVisible(to, sql`t.${identifier(column)}`) ?? [])
    if (conditions.length === 0) return undefined
    return sql`select t.* from ${table(secured.joined)} t where ${join(conditions, ' and ')}`
  }

  /**
   * Only with the columns that the statement reads, since planning the others takes most of the time. A column that it
   * reads in some other way is missing, so that the statement fails; hidden data is never read.
   */
  #viewOfModel(model: Model): Sql | undefined {
    const where = this.#ownRows(model)
    const all = [...model.columns.values()]
    if (!where && !all.some((column) => this.#mayReferToHidden(column))) return undefined
    // Rows whose visibility requires that everything they refer to is visible have no hidden references.
    const isMasked = this.#visibleRows(model) !== 'related'
    const joins: Sql[] = []
    const columns = all
      .filter(({ name }) => isColumnRead(this.#columns, name))
      .map((column) => {
        const masked = isMasked && this.#masked(model, column, joins)
        return masked ? sql`${masked} as ${identifier(column.name)}` : columnOf(column)
      })
    const from = sql`${table(model)} t${joins.length > 0 ? join(joins, '') : empty}`
    return sql`select ${join(columns)} from ${from}${where ? sql` where ${where}` : empty}`
  }

  #mayReferToHidden({ field }: Column): boolean {
    const targets =
      field.kind === 'foreignKey'
        ? [this.#registry.model(field.to)]
        : field.kind === 'genericForeignKey'
          ? this.#registry.targets(field)
          : []
    return targets.some((target) => this.#visibleRows(target) !== 'all')
  }

  /** Predicate over `t` in place of the model's own table. */
  #ownRows(model: Model): Sql | undefined {
    const predicate = this.#visibleRows(model)
    if (predicate === 'all') return undefined
    if (predicate === 'related') return this.#relatedRows(model, this.#typesIn(model))
    // Predicates that read only the row may be used here; others must not read replaced tables.
    return this.#readsOthers(predicate, model) ? this.#isVisible(model, sql`t.id`) : predicate
  }

  #readsOthers(predicate: Sql, model: Model): boolean {
    return predicate.tables.some((name) => name !== model.table && this.#tables.has(name))
  }

  /** Condition that the row with the id is visible; undefined if all rows are. */
  #isVisible(model: Model, id: Sql): Sql | undefined {
    const predicate = this.#visibleRows(model)
    if (predicate === 'all') return undefined
    if (predicate === NO_ROWS) return NO_ROWS
    const name = visibleName(model)
    if (!this.#visibleIds.has(model)) {
      // Where private models refer to one another, a reference back counts as hidden.
      if (this.#pending.has(model)) return NO_ROWS
      this.#pending.add(model)
      const where = predicate === 'related' ? this.#relatedRows(model, anyType) : predicate
      this.#pending.delete(model)
      if (!where) return undefined
      this.#visibleIds.set(model, sql`${name} as not materialized (select t.id from ${table(model)} t where ${where})`)
    }
    return sql`${id} in (select visible.id from ${name} visible)`
  }

  /** Rows that refer to nothing hidden. */
  #relatedRows(model: Model, isRead: IsTypeRead): Sql | undefined {
    const conditions = [...model.columns.values()].flatMap((column) => {
      const isThere = this.#refersToVisible(model, column, isRead)
      return isThere ? [sql`(${columnOf(column)} is null or ${isThere})`] : []
    })
    return conditions.length === 0 ? undefined : join(conditions, ' and ')
  }

  /**
   * The column, empty if it refers to a hidden row; undefined if it never does. A foreign key by which the statement
   * may find rows becomes the id of a joined row, so that an index on it can be used; the others become an expression,
   * which costs nothing if it is not read.
   */
  #masked(model: Model, column: Column, joins: Sql[]): Sql | undefined {
    const isThere = this.#refersToVisible(model, column, this.#typesIn(model))
    if (!isThere) return undefined
    if (isThere === NO_ROWS) return sql`null::bigint`
    const { field } = column
    if (field.kind !== 'foreignKey' || !this.#columns.names.has(column.name)) {
      return sql`case when ${isThere} then ${columnOf(column)} end`
    }
    const alias = raw(`s${joins.length}`)
    const visible = visibleName(this.#registry.model(field.to))
    joins.push(sql` left join ${visible} ${alias} on ${alias}.id = ${columnOf(column)}`)
    return sql`${alias}.id`
  }

  /** The object types that the statement requests in the generic relations of the model's rows. */
  #typesIn({ table: name }: Model): IsTypeRead {
    const { typedReads, untypedReads } = this.#statement.statement.uses
    if (untypedReads.includes(name)) return anyType
    const reads = typedReads.filter((read) => read.table === name)
    return (column, { name: type }) => reads.some((read) => read.column !== column || read.types.includes(type))
  }

  #refersToVisible(model: Model, column: Column, isRead: IsTypeRead): Sql | undefined {
    const { field } = column
    if (field.kind === 'foreignKey') {
      return this.#isVisible(this.#registry.model(field.to), columnOf(column))
    }
    if (field.kind !== 'genericForeignKey' || column.type === 'text') return undefined
    if (!this.#mayReferToHidden(column)) return undefined
    const type = [...model.columns.values()].find((candidate) => candidate.field === field && candidate.type === 'text')
    if (!type) return undefined
    const targets = this.#registry.targets(field).filter((target) => isRead(type.name, target))
    return this.#refersToAnyVisible(targets, columnOf(type), columnOf(column))
  }

  /** Objects of other types count as hidden. */
  #refersToAnyVisible(targets: readonly Model[], type: Sql, id: Sql): Sql {
    const open: string[] = []
    const conditions: Sql[] = []
    for (const target of targets) {
      const isVisible = this.#isVisible(target, id)
      if (!isVisible) open.push(target.name)
      else if (isVisible !== NO_ROWS) {
        conditions.push(sql`(${type} = ${target.name} and ${isVisible})`)
      }
    }
    return sql`(${join([sql`${type} = any(${open}::text[])`, ...conditions], ' or ')})`
  }
}

/** Whether the statement reads rows whose generic relation, named by its type column, leads to objects of the model. */
type IsTypeRead = (column: string, to: Model) => boolean

const anyType: IsTypeRead = () => true

/** Name of the query for the ids of a model's visible rows. */
const visibleName = ({ table: name }: Model): Sql => identifier(`visible ${name}`)

const columnOf = ({ name }: Column): Sql => sql`${T}.${identifier(name)}`

/** A table in which rows may be hidden: that of a model, or one that joins two models. */
type SecuredTable =
  | { readonly kind: 'model'; readonly model: Model }
  | {
      readonly kind: 'join'
      readonly joined: JoinTable
      readonly ends: readonly { readonly column: string; readonly to: Model }[]
    }

/** All tables of the registry by their names in the database. */
const securedTables = oncePer((registry: Registry): ReadonlyMap<string, SecuredTable> => {
  const tables = new Map<string, SecuredTable>()
  for (const model of registry.models.values()) {
    tables.set(model.table, { kind: 'model', model })
    for (const [name, field] of model.fields) {
      if (field.kind !== 'manyToMany') continue
      const joined = registry.joinTable(model, name, field)
      tables.set(joined.table, {
        kind: 'join',
        joined,
        ends: [
          { column: joined.ownColumn, to: model },
          { column: joined.otherColumn, to: registry.model(field.to) },
        ],
      })
    }
  }
  return tables
})
