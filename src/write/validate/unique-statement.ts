import type { Column } from '../../schema/column.ts'
import type { Unique } from '../../schema/model.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** A constraint of a model, with the columns of its fields. */
export interface ComparedConstraint {
  readonly unique: Unique
  readonly columns: readonly Column[]
  /** Identifies a constraint of its model. */
  readonly key: string
}

/** A constraint, and the values of several objects for it. */
export interface ComparedValues {
  readonly constraint: ComparedConstraint
  /** A list for each column, of the values' PostgreSQL text forms. */
  readonly lists: readonly (readonly (string | null)[])[]
}

/** Throws if the model has no such field. */
export function constraintOf(model: Model, unique: Unique): ComparedConstraint {
  const columns = unique.fields.map((name) => columnNamed(model, name))
  return { unique, columns, key: JSON.stringify(unique) }
}

/**
 * Selects the objects that conflict with a stored row: the position of the constraint in the list, and that of the
 * object. `ids`: the objects that are already stored, which are compared by their new values.
 */
export function conflictStatement(model: Model, compared: readonly ComparedValues[], ids: readonly number[]): Sql {
  const ownIds = ids.length > 0 ? ids : undefined
  const conflicts = compared.map(({ constraint, lists }, index) =>
    oneConflict(model, index, comparison(model, constraint, lists, ownIds)),
  )
  return join(conflicts, ' union all ')
}

/**
 * `offset 0` forces an index lookup per object: a join planned while the table is small scans all of it, even after it
 * has grown.
 */
const oneConflict = (model: Model, index: number, { source, conditions }: Comparison): Sql => sql`
    select ${raw(String(index))}, (q.position - 1)::int from ${source}
    where exists (select from ${table(model)} t where ${conditions} offset 0)`

/** The values as a table `q`, and the conditions under which a stored row `t` has them. */
interface Comparison {
  readonly source: Sql
  readonly conditions: Sql
}

/** `lists`: values as in ComparedValues; `ids`: objects whose stored values are not compared. */
export function comparison(
  model: Model,
  { unique, columns }: ComparedConstraint,
  lists: readonly unknown[],
  ids: unknown,
): Comparison {
  const arrays = lists.map((list) => sql`${list}::text[]`)
  const names = columns.map((_, at) => identifier(`v${at}`))
  const stored = (name: string) => identifier('t', columnNamed(model, name).name)
  const conditions = columns.map((column, at) => {
    const value = sql`${identifier('q', `v${at}`)}::${raw(column.type)}`
    const storedColumn = identifier('t', column.name)
    if (unique.ignoreCase?.includes(column.key)) return sql`lower(${storedColumn}) = lower(${value})`
    return unique.nullsEqual ? sql`${storedColumn} is not distinct from ${value}` : sql`${storedColumn} = ${value}`
  })
  for (const name of unique.whereNull ?? []) conditions.push(sql`${stored(name)} is null`)
  for (const name of unique.whereNotNull ?? []) conditions.push(sql`${stored(name)} is not null`)
  for (const name of unique.whereNotEmpty ?? []) conditions.push(sql`${stored(name)} <> ''`)
  if (ids !== undefined) conditions.push(sql`t.id <> all(${ids}::bigint[])`)
  return {
    source: sql`unnest(${join(arrays)}) with ordinality as q(${join(names)}, position)`,
    conditions: join(conditions, ' and '),
  }
}

function columnNamed(model: Model, name: string): Column {
  const column = model.columns.get(name)
  if (!column) throw new Error(`${model.name}: no column ${name} to be unique`)
  return column
}
