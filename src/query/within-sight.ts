import type { Column } from '../schema/column.ts'
import type { GenericForeignKeyField } from '../schema/field.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { empty, identifier, join, raw, type Sql, sql } from '../sql/fragment.ts'
import { table, tableName } from '../sql/table.ts'
import { T } from './alias.ts'
import { type Access, EVERYTHING, NOTHING } from './scope.ts'
import { type SightTable, sightTables } from './sight-tables.ts'

/** For whom a statement is put to the database. */
export interface Sight {
  readonly registry: Registry
  readonly access: Access
}

/**
 * The statement, a query over tables, as somebody sees them who may not see everything: rows that are hidden
 * are not there, and what refers to them refers to nothing. It holds for every table that the statement
 * names in whatever way, because each is replaced as a whole: `with dcim_site as (select … where …)`.
 */
export function withinSight({ registry, access }: Sight, statement: Sql): Sql {
  if (access === EVERYTHING) return statement
  const views = new Views(registry, access, humanize(statement))
  const definitions = views.definitions()
  return definitions.length === 0 ? statement : sql`with ${join(definitions)} ${statement}`
}

/** Everything in a statement that may be the name of a table or a column. */
const humanize = (statement: Sql): ReadonlySet<string> =>
  new Set(statement.text.match(/[a-z_][a-z0-9_]*/g))

/** The tables of one statement as somebody sees them. */
class Views {
  readonly #registry: Registry
  readonly #access: Access
  readonly #words: ReadonlySet<string>
  readonly #tables: ReadonlyMap<string, SightTable>
  /** Ids of the visible rows by model, read from the tables themselves: defined before any is replaced. */
  readonly #seen = new Map<Model, Sql>()

  constructor(registry: Registry, access: Access, words: ReadonlySet<string>) {
    this.#registry = registry
    this.#access = access
    this.#words = words
    this.#tables = sightTables(registry)
  }

  definitions(): readonly Sql[] {
    const replaced = [...this.#words].flatMap((word) => {
      const table = this.#tables.get(word)
      const view = table && this.#view(table)
      return view ? [sql`${tableName(word)} as not materialized (${view})`] : []
    })
    return [...this.#seen.values(), ...replaced]
  }

  /** What stands in the place of a table; undefined where nothing of it is hidden. */
  #view(hidden: SightTable): Sql | undefined {
    if (hidden.kind === 'join') {
      const conditions = hidden.ends.flatMap(
        ({ column, to }) => this.#isSeen(to, sql`t.${identifier(column)}`) ?? [],
      )
      if (conditions.length === 0) return undefined
      return sql`select t.* from ${table(hidden.joined)} t where ${join(conditions, ' and ')}`
    }
    const { model } = hidden
    const where = this.#ownRows(model)
    const joins: Sql[] = []
    let isReplaced = where !== undefined
    const columns = [...model.columns.values()].map((column) => {
      const shown = this.#words.has(column.name) ? this.#shown(model, column, joins) : undefined
      if (!shown) return columnOf(column)
      isReplaced = true
      return sql`${shown} as ${identifier(column.name)}`
    })
    if (!isReplaced) return undefined
    const from = sql`${table(model)} t${joins.length > 0 ? join(joins, '') : empty}`
    return sql`select ${join(columns)} from ${from}${where ? sql` where ${where}` : empty}`
  }

  /** Predicate over `t` in the place of the model's own table. */
  #ownRows(model: Model): Sql | undefined {
    const scope = this.#access(model)
    if (scope === 'all') return undefined
    // A predicate that looks at nothing but the row may stand here; others must not see replaced tables.
    const isPlain = scope !== 'related' && !this.#mentionsOthers(scope, model)
    return isPlain ? scope : this.#isSeen(model, sql`t.id`)
  }

  #mentionsOthers(scope: Sql, model: Model): boolean {
    return [...humanize(scope)].some((word) => word !== model.table && this.#tables.has(word))
  }

  /** Condition that the row with the id is visible; undefined where all rows are. */
  #isSeen(model: Model, id: Sql): Sql | undefined {
    const scope = this.#access(model)
    if (scope === 'all') return undefined
    if (scope === NOTHING) return NOTHING
    const name = seenName(model)
    if (!this.#seen.has(model)) {
      const where = scope === 'related' ? this.#relatedRows(model) : scope
      if (!where) return undefined
      this.#seen.set(
        model,
        sql`${name} as not materialized (select t.id from ${table(model)} t where ${where})`,
      )
    }
    return sql`${id} in (select seen.id from ${name} seen)`
  }

  /** Rows that refer to nothing hidden. */
  #relatedRows(model: Model): Sql | undefined {
    const conditions = [...model.columns.values()].flatMap((column) => {
      const isThere = this.#leadsToSeen(model, column)
      return isThere ? [sql`(${columnOf(column)} is null or ${isThere})`] : []
    })
    return conditions.length === 0 ? undefined : join(conditions, ' and ')
  }

  /**
   * The column, empty where it refers to a hidden row; undefined where it never does. A foreign key becomes the
   * id of a row that is joined, so that an index on it can still be used.
   */
  #shown(model: Model, column: Column, joins: Sql[]): Sql | undefined {
    const isThere = this.#leadsToSeen(model, column)
    if (!isThere) return undefined
    if (isThere === NOTHING) return sql`null::bigint`
    const { field } = column
    if (field.kind !== 'foreignKey') return sql`case when ${isThere} then ${columnOf(column)} end`
    const alias = raw(`s${joins.length}`)
    const seen = seenName(this.#registry.model(field.to))
    joins.push(sql` left join ${seen} ${alias} on ${alias}.id = ${columnOf(column)}`)
    return sql`${alias}.id`
  }

  #leadsToSeen(model: Model, column: Column): Sql | undefined {
    const { field } = column
    if (field.kind === 'foreignKey') {
      return this.#isSeen(this.#registry.model(field.to), columnOf(column))
    }
    if (field.kind !== 'genericForeignKey' || column.type === 'text') return undefined
    const type = [...model.columns.values()].find(
      (each) => each.field === field && each.type === 'text',
    )
    return type && this.#leadsToAnySeen(field, columnOf(type), columnOf(column))
  }

  #leadsToAnySeen(field: GenericForeignKeyField, type: Sql, id: Sql): Sql | undefined {
    const open: string[] = []
    const conditions: Sql[] = []
    for (const target of this.#registry.targets(field)) {
      const isSeen = this.#isSeen(target, id)
      if (!isSeen) open.push(target.name)
      else if (isSeen !== NOTHING) conditions.push(sql`(${type} = ${target.name} and ${isSeen})`)
    }
    if (open.length === this.#registry.targets(field).length) return undefined
    return sql`(${join([sql`${type} = any(${open}::text[])`, ...conditions], ' or ')})`
  }
}

/** Ids of the rows of a model that may be seen. */
const seenName = ({ table }: Model): Sql => identifier(`seen ${table}`)

const columnOf = ({ name }: Column): Sql => sql`${T}.${identifier(name)}`
