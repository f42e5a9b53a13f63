import type { Model } from '../schema/registry.ts'
import { type Step, splitPath } from '../schema/step.ts'
import { empty, identifier, raw, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'

/** Joins from the rows `t` of one model along a path to rows of another. */
export interface ReverseJoin {
  /** Joins that come after `from … t`. */
  readonly joins: Sql
  /** Id of the row at the end of the path. */
  readonly key: Sql
  /** Condition on the type, where a relation may point at several models. */
  readonly where: Sql
  /** True where a row may reach several rows, or the same row several times. */
  readonly isMany: boolean
}

/** Joins from `of` along the path `via` to `target`. Throws where the path ends at another model. */
export function reverseJoin(of: Model, via: string, target: Model): ReverseJoin {
  let here: Model = of
  let id = sql`t.id`
  let row: Sql | undefined = sql`t`
  let result: ReverseJoin = { joins: empty, key: id, where: sql`true`, isMany: false }
  for (const [depth, name] of splitPath(via).entries()) {
    // A generic relation may be named without the model that it leads to.
    const step: Step | undefined = here.steps.get(name) ?? here.steps.get(`${name}:${target.name}`)
    if (!step || step.kind === 'column' || step.kind === 'tags') {
      throw new Error(`${of.name}: path ${via} does not lead to ${target.name} at ${name}`)
    }
    const alias = raw(`j${depth}`)
    // The previous step brought only an id; its row is joined when a further step needs it.
    const from: Sql = row ?? raw(`r${depth}`)
    if (!row) {
      const join = sql` join ${table(here)} ${from} on ${from}.id = ${id}`
      result = { ...result, joins: sql`${result.joins}${join}` }
    }
    const next = joinStep(step, from, alias)
    result = {
      joins: sql`${result.joins}${next.join}`,
      key: next.key,
      where: sql`${result.where} and ${next.where}`,
      isMany: result.isMany || next.isMany,
    }
    id = next.key
    row = next.row
    here = step.to
  }
  if (here !== target) throw new Error(`${of.name}: path ${via} does not end at ${target.name}`)
  return result
}

interface JoinedStep {
  readonly join: Sql
  readonly key: Sql
  /** Alias of the row reached; undefined where only its id is known. */
  readonly row: Sql | undefined
  readonly where: Sql
  readonly isMany: boolean
}

function joinStep(
  step: Exclude<Step, { kind: 'column' } | { kind: 'tags' }>,
  from: Sql,
  alias: Sql,
): JoinedStep {
  const always = sql`true`
  switch (step.kind) {
    case 'foreignKey': {
      const key = sql`${from}.${identifier(step.column.name)}`
      return { join: empty, key, row: undefined, where: always, isMany: false }
    }
    case 'genericTo': {
      const key = sql`${from}.${identifier(step.idColumn.name)}`
      const where = sql`${from}.${identifier(step.typeColumn.name)} = ${step.to.name}`
      return { join: empty, key, row: undefined, where, isMany: false }
    }
    case 'manyToMany': {
      const { ownColumn, otherColumn } = step.table
      const join = sql` join ${table(step.table)} ${alias} on ${alias}.${identifier(ownColumn)} = ${from}.id`
      const key = sql`${alias}.${identifier(otherColumn)}`
      return { join, key, row: undefined, where: always, isMany: true }
    }
    case 'reverseForeignKey': {
      const join = sql` join ${table(step.to)} ${alias} on ${alias}.${identifier(step.column.name)} = ${from}.id`
      return { join, key: sql`${alias}.id`, row: alias, where: always, isMany: true }
    }
    case 'reverseGeneric': {
      const join = sql` join ${table(step.to)} ${alias} on ${alias}.${identifier(step.idColumn.name)} = ${from}.id and ${alias}.${identifier(step.typeColumn.name)} = ${step.typeName}`
      return { join, key: sql`${alias}.id`, row: alias, where: always, isMany: true }
    }
  }
}
