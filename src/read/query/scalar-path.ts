import type { Model } from '../../schema/registry.ts'
import { type Step, splitPath } from '../../schema/step.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { innerAlias } from './alias.ts'
import { allOf, joinStep } from './join-step.ts'
import { storedValue } from './stored-value.ts'

/** Display text of a model's rows; passed in because it is built from paths itself. */
export type Display = (model: Model, alias: Sql) => Sql

/**
 * SQL of one value of the row `alias`: a column, a derived or counted field, or one of these of a row reached by
 * foreign keys. Throws for a path that does not exist or leads to many rows.
 */
export function scalarPath(model: Model, alias: Sql, path: string, display: Display): Sql {
  const follow = (here: Model, rows: Sql, names: readonly string[]): Sql => {
    const [name = '', ...remaining] = names
    const step = here.steps.get(name)
    if (remaining.length === 0) {
      if (name === 'display') return display(here, rows)
      if (step) return directValue(step, rows) ?? refuse(name)
      return computedValue(here, rows, name, follow) ?? refuse(name)
    }
    if (step?.kind === 'foreignKey' || step?.kind === 'genericTo') {
      const inner = innerAlias(rows)
      const { id, condition } = joinStep(step, rows, inner)
      if (!condition && remaining.length === 1 && remaining[0] === 'id') return id
      const isRelated = allOf(sql`${inner}.id = ${id}`, condition)
      return sql`(select ${follow(step.to, inner, remaining)} from ${table(step.to)} ${inner} where ${isRelated})`
    }
    if (remaining.length === 1 && remaining[0] === 'display') return genericDisplay(here, rows, name)
    return refuse(name)
  }
  /** Display of the target of a generic relation. */
  const genericDisplay = (here: Model, rows: Sql, name: string): Sql => {
    const targets = [...here.steps].flatMap(([key, step]) =>
      step.kind === 'genericTo' && key.startsWith(`${name}:`) ? [{ step }] : [],
    )
    const [first] = targets
    if (!first) return refuse(name)
    const type = sql`${rows}.${identifier(first.step.typeColumn.name)}`
    const inner = innerAlias(rows)
    const target = sql`${rows}.${identifier(first.step.idColumn.name)}`
    // Names of types are no values: statements with many displays would have more than the protocol counts.
    const cases = targets.map(
      ({ step }) =>
        sql`when ${raw(`'${step.to.name}'`)} then (select ${display(step.to, inner)} from ${table(step.to)} ${inner} where ${inner}.id = ${target})`,
    )
    return sql`case ${type} ${join(cases, ' ')} end`
  }
  const refuse = (name: string): never => {
    throw new Error(`${model.name}: path ${path} leads to no single value at ${name}`)
  }
  return follow(model, alias, splitPath(path))
}

function directValue(step: Step, rows: Sql): Sql | undefined {
  if (step.kind === 'column' || step.kind === 'foreignKey') {
    return storedValue(rows, step.column)
  }
  if (step.kind !== 'genericTo') return undefined
  const type = sql`${rows}.${identifier(step.typeColumn.name)}`
  return sql`case when ${type} = ${step.to.name} then ${rows}.${identifier(step.idColumn.name)} end`
}

function computedValue(
  model: Model,
  rows: Sql,
  name: string,
  follow: (model: Model, rows: Sql, names: readonly string[]) => Sql,
): Sql | undefined {
  const field = model.fields.get(name)
  if (field?.kind === 'derived' || field?.kind === 'derivedKey') {
    return sql`(${field.sql((path) => follow(model, rows, splitPath(path)))})`
  }
  return undefined
}
