import type { Model } from '../schema/registry.ts'
import { type Step, splitPath } from '../schema/step.ts'
import { empty, identifier, raw, type Sql, sql } from '../sql/fragment.ts'

/** How the rows `t` of one model lead to rows of another by a path. */
export interface Lead {
  /** Joins that come after `from … t`. */
  readonly joins: Sql
  /** Id of the row that is led to. */
  readonly key: Sql
  /** Condition, for relations that may lead to several models. */
  readonly where: Sql
  /** Whether a row may lead to several rows, or several times to the same. */
  readonly isMany: boolean
}

/** Resolves `via`, seen from `of`, to what a query for the rows that point at `target` needs. */
export function leadOf(of: Model, via: string, target: Model): Lead {
  let here: Model = of
  let id = sql`t.id`
  let row: Sql | undefined = sql`t`
  let lead: Lead = { joins: empty, key: id, where: sql`true`, isMany: false }
  for (const [depth, name] of splitPath(via).entries()) {
    // A generic relation may be named without the model that it leads to.
    const step: Step | undefined = here.steps.get(name) ?? here.steps.get(`${name}:${target.name}`)
    if (!step || step.kind === 'column' || step.kind === 'tags') {
      throw new Error(`${of.name}: path ${via} does not lead to ${target.name} at ${name}`)
    }
    const alias = raw(`j${depth}`)
    // Only now is the row of the step before needed as a row, not only its id.
    const from: Sql = row ?? raw(`r${depth}`)
    if (!row) {
      const joined = sql` join ${identifier(here.table)} ${from} on ${from}.id = ${id}`
      lead = { ...lead, joins: sql`${lead.joins}${joined}` }
    }
    const next = follow(step, from, alias)
    lead = {
      joins: sql`${lead.joins}${next.join}`,
      key: next.key,
      where: sql`${lead.where} and ${next.where}`,
      isMany: lead.isMany || next.isMany,
    }
    id = next.key
    row = next.row
    here = step.to
  }
  if (here !== target) throw new Error(`${of.name}: path ${via} does not end at ${target.name}`)
  return lead
}

interface Followed {
  readonly join: Sql
  readonly key: Sql
  /** The row that was reached, where the join has brought it. */
  readonly row: Sql | undefined
  readonly where: Sql
  readonly isMany: boolean
}

function follow(
  step: Exclude<Step, { kind: 'column' } | { kind: 'tags' }>,
  from: Sql,
  alias: Sql,
): Followed {
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
      const { name, ownColumn, otherColumn } = step.table
      const join = sql` join ${identifier(name)} ${alias} on ${alias}.${identifier(ownColumn)} = ${from}.id`
      const key = sql`${alias}.${identifier(otherColumn)}`
      return { join, key, row: undefined, where: always, isMany: true }
    }
    case 'reverseForeignKey': {
      const join = sql` join ${identifier(step.to.table)} ${alias} on ${alias}.${identifier(step.column.name)} = ${from}.id`
      return { join, key: sql`${alias}.id`, row: alias, where: always, isMany: true }
    }
    case 'reverseGeneric': {
      const join = sql` join ${identifier(step.to.table)} ${alias} on ${alias}.${identifier(step.idColumn.name)} = ${from}.id and ${alias}.${identifier(step.typeColumn.name)} = ${step.typeName}`
      return { join, key: sql`${alias}.id`, row: alias, where: always, isMany: true }
    }
  }
}
