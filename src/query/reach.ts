import type { Column } from '../schema/column.ts'
import type { DerivedField, DerivedKeyField } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import { type Step, splitPath } from '../schema/step.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { identifier, raw, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { innerAlias } from './alias.ts'
import { columnOf } from './column.ts'
import { storedValue } from './stored-value.ts'

/** What stands at the end of a path: a column, another model's id, or a value that SQL computes. */
export type PathEnd =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'relation'; readonly to: Model }
  | { readonly kind: 'computed'; readonly field: DerivedField | DerivedKeyField }

/** A condition on the value at the end of a path. */
export type PathCondition = (value: Sql, end: PathEnd) => Sql

/**
 * Predicate over the row `alias`: the path leads to at least one value for which the condition holds.
 * May be null where nothing is there; whoever negates it writes `is not true`. Each step is a set of
 * its own (`in (select …)`), so that the database may start at the end of the path.
 */
export function reaches(model: Model, alias: Sql, path: string, condition: PathCondition): Sql {
  const walk = (here: Model, rows: Sql, names: readonly string[]): Sql => {
    const [name = '', ...rest] = names
    const step = here.steps.get(name)
    if (!step) return computed(here, rows, name, rest)
    if (step.kind === 'column') {
      if (rest.length > 0) return refuse(name)
      const end: PathEnd = { kind: 'column', column: step.column }
      return condition(storedValue(rows, step.column), end)
    }
    if (rest.length === 0 || (rest.length === 1 && rest[0] === 'id')) {
      return atRelation(step, rows, (id) => condition(id, { kind: 'relation', to: step.to }))
    }
    return throughRelation(step, rows, (inner) => walk(step.to, inner, rest))
  }
  const computed = (here: Model, rows: Sql, name: string, rest: readonly string[]): Sql => {
    const field = here.fields.get(name)
    if (rest.length > 0 || (field?.kind !== 'derived' && field?.kind !== 'derivedKey')) {
      return refuse(name)
    }
    return condition(sql`(${field.sql(columnOf(here, rows))})`, { kind: 'computed', field })
  }
  const refuse = (name: string): never => {
    throw new Error(`${model.name}: path ${path} leads nowhere at ${name}`)
  }
  return walk(model, alias, splitPath(path))
}

/**
 * Predicate over the row `alias`: nothing stands at the end of the path. As in the reference, a path
 * that leads to several rows lacks its end already where one of them does.
 */
export function lacks(model: Model, alias: Sql, path: string): Sql {
  const walk = (here: Model, rows: Sql, names: readonly string[]): Sql => {
    const [name = '', ...rest] = names
    const step = here.steps.get(name)
    if (!step || step.kind === 'column' || rest.length === 0) {
      const isThere = reaches(here, rows, names.join('.'), (value) => sql`${value} is not null`)
      return sql`(${isThere}) is not true`
    }
    const isThere = atRelation(step, rows, (id) => sql`${id} is not null`)
    const lacksRest = throughRelation(step, rows, (inner) => walk(step.to, inner, rest))
    return sql`((${isThere}) is not true or ${lacksRest})`
  }
  return walk(model, alias, splitPath(path))
}

type Relation = Exclude<Step, { readonly kind: 'column' }>

/** Join table of tags: which object, by the name of its type and its id, has which tag. */
const TAGGED = table(SYSTEM.taggedItem)

/** The condition is asked of related ids, without a look at the related table where that is possible. */
function atRelation(step: Relation, rows: Sql, condition: (id: Sql) => Sql): Sql {
  switch (step.kind) {
    case 'foreignKey':
      return condition(sql`${rows}.${identifier(step.column.name)}`)
    case 'genericTo':
      return sql`(${rows}.${identifier(step.typeColumn.name)} = ${step.to.name} and ${condition(sql`${rows}.${identifier(step.idColumn.name)}`)})`
    case 'manyToMany': {
      const link = linkAlias(rows)
      const { ownColumn, otherColumn } = step.table
      return sql`${rows}.id in (select ${link}.${identifier(ownColumn)} from ${table(step.table)} ${link} where ${condition(sql`${link}.${identifier(otherColumn)}`)})`
    }
    case 'tags': {
      const link = linkAlias(rows)
      return sql`${rows}.id in (select ${link}.object_id from ${TAGGED} ${link} where ${link}.object_type = ${step.typeName} and ${condition(sql`${link}.tag_id`)})`
    }
    case 'reverseForeignKey':
    case 'reverseGeneric':
      return throughRelation(step, rows, (inner) => condition(sql`${inner}.id`))
  }
}

/** The condition is asked of related rows. */
function throughRelation(step: Relation, rows: Sql, condition: (rows: Sql) => Sql): Sql {
  const inner = innerAlias(rows)
  const related = sql`${table(step.to)} ${inner}`
  switch (step.kind) {
    case 'reverseForeignKey':
      return sql`${rows}.id in (select ${inner}.${identifier(step.column.name)} from ${related} where ${condition(inner)})`
    case 'reverseGeneric':
      return sql`${rows}.id in (select ${inner}.${identifier(step.idColumn.name)} from ${related} where ${inner}.${identifier(step.typeColumn.name)} = ${step.typeName} and ${condition(inner)})`
    default:
      return atRelation(
        step,
        rows,
        (id) => sql`${id} in (select ${inner}.id from ${related} where ${condition(inner)})`,
      )
  }
}

const linkAlias = (rows: Sql): Sql => raw(`${innerAlias(rows).text}link`)
