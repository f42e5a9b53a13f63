import { UNTIL, versionedTables } from '../../db/versions/versioned-tables.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable, table } from '../../sql/table.ts'
import { declaredTable } from '../../sql/table-names.ts'
import { isContained, pathsTo } from '../expression/links.ts'
import type { Reached, ReachedBy } from '../expression/reached.ts'
import { joinStep } from '../query/join-step.ts'
import type { CompiledRule } from './compile-rule.ts'

/** Rows of one table that have changed. */
interface TouchedRows {
  /** Their ids, or the values of the first column of a table that joins two models. */
  readonly ids: ReadonlySet<number>
  /** The values of the second column of such a table. */
  readonly others: ReadonlySet<number>
  /** Numbers of the transactions that have changed them. */
  readonly numbers: ReadonlySet<number>
}

/** Changed rows by the name of their table in the database. */
export type Touched = ReadonlyMap<string, TouchedRows>

/** A stored note of changed rows. */
interface Touch extends Record<string, unknown> {
  readonly changed_table: string
  readonly number: number
  /** JSON texts. */
  readonly ids: string
  readonly others: string
}

/** The changed rows that the notes name. */
export function touchedOf(touches: readonly Touch[]): Touched {
  const touched = new Map<string, { ids: Set<number>; others: Set<number>; numbers: Set<number> }>()
  for (const { changed_table: name, number, ids, others } of touches) {
    const entry = touched.get(name) ?? { ids: new Set(), others: new Set(), numbers: new Set() }
    touched.set(name, entry)
    entry.numbers.add(number)
    for (const id of JSON.parse(ids) as number[]) entry.ids.add(id) // written by the trigger
    for (const id of JSON.parse(others) as number[]) entry.others.add(id)
  }
  return touched
}

/** Number of affected objects from which on it is faster to judge all. */
const MANY = 20_000

/**
 * Ids of the objects whose rule a change may affect: those that have changed, and those from which the expression
 * reaches, or reached, something that has changed. `all` if that is not known, or if they are very many.
 */
export async function affectedObjects(
  { registry, database }: { readonly registry: Registry; readonly database: Queryable },
  { reached, opaque }: Pick<CompiledRule, 'reached' | 'opaque'>,
  touched: Touched,
): Promise<ReadonlySet<number> | 'all'> {
  if ([...opaque].some((name) => touched.has(name))) return 'all'
  const versioned = versionedTables(registry)
  if (tablesOf(reached).some((name) => touched.has(name) && !versioned.has(name))) return 'all'
  const ids = await new Search(registry, database, touched).affected(reached)
  return ids.size > MANY ? 'all' : ids
}

/** Condition that an id is one of those that `affectedObjects` has returned. */
export const isAffected = (id: Sql, ids: ReadonlySet<number> | 'all'): Sql =>
  ids === 'all' ? sql`true` : sql`${id} = any(${[...ids]}::bigint[])`

/** Names of the tables whose changes may affect what the rules say. */
export const tablesOfRules = (rules: readonly Pick<CompiledRule, 'reached' | 'opaque'>[]): ReadonlySet<string> =>
  new Set(rules.flatMap(({ reached, opaque }) => [...tablesOf(reached), ...opaque]))

const tablesOf = (reached: Reached): readonly string[] => [
  reached.model.table,
  ...reached.next.flatMap(({ step, reached: next }) => [...joinTableOf(step), ...tablesOf(next)]),
]

const joinTableOf = (step: ReachedBy): readonly string[] => {
  if (step.kind === 'manyToMany') return [step.table.table]
  return step.kind === 'tags' ? [taggedItems()] : []
}

const taggedItems = (): string => declaredTable(SYSTEM.taggedItem).table

class Search {
  readonly #registry: Registry
  readonly #database: Queryable
  readonly #touched: Touched

  constructor(registry: Registry, database: Queryable, touched: Touched) {
    this.#registry = registry
    this.#database = database
    this.#touched = touched
  }

  async affected({ model, next }: Reached): Promise<ReadonlySet<number>> {
    const ids = new Set(this.#touched.get(model.table)?.ids)
    const add = (more: Iterable<number>) => {
      for (const id of more) ids.add(id)
    }
    // One after the other: each level asks only if there is something to ask for.
    for (const { step, reached } of next) {
      const inner = await this.affected(reached)
      if (inner.size > 0) add(await this.#owners(model, step, [...inner]))
      add(await this.#formerOwners(step))
    }
    return ids
  }

  /** Ids of the objects from which the step leads to objects with these ids. */
  async #owners(from: Model, step: ReachedBy, ids: readonly number[]): Promise<readonly number[]> {
    if (step.kind === 'ends') return await this.#ids(pathsTo(step, ids))
    if (step.kind === 'containment') {
      return await this.#ids(sql`
        select distinct o.id from ${table(from)} o join ${table(step.to)} r on ${isContained(step, sql`o`, sql`r`)}
        where r.id = any(${ids}::bigint[])`)
    }
    const { id, condition, joined } = joinStep(step, sql`o`, sql`j`)
    const [owner, rows] = joined ? [joined.owner, joined.rows] : [sql`o.id`, sql`${table(from)} o`]
    return await this.#ids(sql`
      select distinct ${owner} from ${rows}
      where ${id} = any(${ids}::bigint[])${condition ? sql` and ${condition}` : sql``}`)
  }

  /** Ids of the objects from which the step led to something before it changed. */
  async #formerOwners(step: ReachedBy): Promise<readonly number[]> {
    switch (step.kind) {
      case 'reverseForeignKey':
        return await this.#formerValues(step.to.table, step.column.name, undefined)
      case 'reverseGeneric':
        return await this.#formerValues(step.to.table, step.idColumn.name, [step.typeColumn.name, step.typeName])
      case 'tags': {
        const name = taggedItems()
        const tagged = [...(this.#touched.get(name)?.ids ?? [])]
        if (tagged.length === 0) return []
        const present = await this.#ids(sql`
          select object_id from ${table(SYSTEM.taggedItem)}
          where id = any(${tagged}::bigint[]) and object_type = ${step.typeName}`)
        return [...present, ...(await this.#formerValues(name, 'object_id', ['object_type', step.typeName]))]
      }
      case 'containment': {
        const [past, changed] = [sql`h`, this.#replaced(step.to.table)]
        return changed
          ? await this.#ids(sql`
              select distinct o.id from ${changed.rows} join ${table(step.from)} o on ${isContained(step, sql`o`, past)}
              where ${changed.condition}`)
          : []
      }
      case 'manyToMany': {
        const { table: name, ownColumn } = step.table
        const touched = this.#touched.get(name)
        const isFirst = versionedTables(this.#registry).get(name)?.key[0] === ownColumn
        return touched ? [...(isFirst ? touched.ids : touched.others)] : []
      }
      default:
        // The owner itself has changed.
        return []
    }
  }

  /** Values of a column in the versions that the changes replaced. */
  async #formerValues(
    name: string,
    column: string,
    type: readonly [column: string, name: string] | undefined,
  ): Promise<readonly number[]> {
    const replaced = this.#replaced(name)
    if (!replaced) return []
    const isOfType = type ? sql` and ${identifier('h', type[0])} = ${type[1]}` : sql``
    return await this.#ids(sql`
      select distinct ${identifier('h', column)} from ${replaced.rows}
      where ${replaced.condition} and ${identifier('h', column)} is not null${isOfType}`)
  }

  /** The versions `h` of rows of a table that the changes replaced; undefined if it has not changed. */
  #replaced(name: string): { readonly rows: Sql; readonly condition: Sql } | undefined {
    const touched = this.#touched.get(name)
    const past = versionedTables(this.#registry).get(name)?.past
    if (!touched || past === undefined) return undefined
    const [ids, numbers] = [[...touched.ids], [...touched.numbers]]
    return {
      rows: sql`${systemTable(past)} h`,
      condition: sql`h.id = any(${ids}::bigint[]) and h.${identifier(UNTIL)} = any(${numbers}::bigint[])`,
    }
  }

  async #ids(statement: Sql): Promise<readonly number[]> {
    return (await this.#database.queryColumn(statement)).flatMap((id) => (id === null ? [] : [Number(id)]))
  }
}
