import type { Column } from '../../schema/column.ts'
import type { DerivedField, DerivedKeyField } from '../../schema/field.ts'
import type { Model } from '../../schema/registry.ts'
import { splitPath } from '../../schema/step.ts'
import { raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { innerAlias } from './alias.ts'
import { columnOf } from './column.ts'
import { allOf, joinStep, type Relation } from './join-step.ts'
import { storedValue } from './stored-value.ts'

/** The end of a path: a column, the id of another model, or a value computed by SQL. */
export type PathEnd =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'relation'; readonly to: Model }
  | { readonly kind: 'computed'; readonly field: DerivedField | DerivedKeyField }

/** A condition on the value at the end of a path. */
type PathCondition = (value: Sql, end: PathEnd) => Sql

/**
 * Predicate over the row `alias`: the path leads to at least one value for which the condition holds. May be null if
 * there is no value: negate it with `is not true`. Each step is a separate set (`in (select …)`), so that the database
 * may start at the end of the path. `isAlternative`: the predicate is one of several joined by `or`; PostgreSQL then
 * uses an index only for a list of ids.
 */
export function reaches(
  model: Model,
  alias: Sql,
  path: string,
  condition: PathCondition,
  { isAlternative = false }: { readonly isAlternative?: boolean } = {},
): Sql {
  const walk = (here: Model, rows: Sql, names: readonly string[]): Sql => {
    const [name = '', ...remaining] = names
    const step = here.steps.get(name)
    if (!step) return computed(here, rows, name, remaining)
    if (step.kind === 'column') {
      if (remaining.length > 0) return refuse(name)
      const end: PathEnd = { kind: 'column', column: step.column }
      return condition(storedValue(rows, step.column), end)
    }
    if (remaining.length === 0 || (remaining.length === 1 && remaining[0] === 'id')) {
      return atRelation(step, rows, (id) => condition(id, { kind: 'relation', to: step.to }))
    }
    return throughRelation(step, rows, (inner) => walk(step.to, inner, remaining), isAlternative)
  }
  const computed = (here: Model, rows: Sql, name: string, remaining: readonly string[]): Sql => {
    const field = here.fields.get(name)
    if (remaining.length > 0 || (field?.kind !== 'derived' && field?.kind !== 'derivedKey')) {
      return refuse(name)
    }
    return condition(sql`(${field.sql(columnOf(here, rows))})`, { kind: 'computed', field })
  }
  const refuse = (name: string): never => {
    throw new Error(`${model.name}: the path ${path} is invalid at ${name}`)
  }
  return walk(model, alias, splitPath(path))
}

/**
 * Predicate over the row `alias`: there is nothing at the end of the path. As in NetBox, a path that leads to
 * several rows counts as lacking if one of them has no value.
 */
export function lacks(model: Model, alias: Sql, path: string): Sql {
  const walk = (here: Model, rows: Sql, names: readonly string[]): Sql => {
    const [name = '', ...remaining] = names
    const step = here.steps.get(name)
    if (!step || step.kind === 'column' || remaining.length === 0) {
      const isThere = reaches(here, rows, names.join('.'), (value) => sql`${value} is not null`)
      return sql`(${isThere}) is not true`
    }
    const isThere = atRelation(step, rows, (id) => sql`${id} is not null`)
    const lacksRest = throughRelation(step, rows, (inner) => walk(step.to, inner, remaining))
    return sql`((${isThere}) is not true or ${lacksRest})`
  }
  return walk(model, alias, splitPath(path))
}

/** The condition is applied to related ids, without reading the related table if possible. */
function atRelation(step: Relation, rows: Sql, condition: (id: Sql) => Sql): Sql {
  const { id, condition: isOfType, joined } = joinStep(step, rows, joinedAlias(step, rows))
  const holds = allOf(isOfType, condition(id))
  if (joined) return sql`${rows}.id in (select ${joined.owner} from ${joined.rows} where ${holds})`
  return isOfType ? sql`(${holds})` : holds
}

/** The condition is applied to related rows, which are called `innerAlias(rows)`. */
export function throughRelation(step: Relation, rows: Sql, condition: (rows: Sql) => Sql, isAlternative = false): Sql {
  const inner = innerAlias(rows)
  const { joined } = joinStep(step, rows, inner)
  return atRelation(step, rows, (id) => {
    if (joined?.areRelated) return condition(inner)
    const relatedIds = sql`select ${inner}.id from ${table(step.to)} ${inner} where ${condition(inner)}`
    return isAlternative ? sql`${id} = any(array(${relatedIds}))` : sql`${id} in (${relatedIds})`
  })
}

/** Related rows are named like those of a subquery; rows that only join them have a different name. */
const joinedAlias = (step: Relation, rows: Sql): Sql =>
  step.kind === 'manyToMany' || step.kind === 'tags' ? raw(`${innerAlias(rows).text}link`) : innerAlias(rows)
