import type { Model } from '../../schema/registry.ts'
import { type Step, splitPath } from '../../schema/step.ts'
import { empty, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { allOf, joinStep } from '../query/join-step.ts'

/** Joins from the rows `t` of one model along a path to rows of another. */
interface ReverseJoin {
  /** Joins that follow `from … t`. */
  readonly joins: Sql
  /** Id of the row at the end of the path. */
  readonly key: Sql
  /** Condition on the type, if a relation may refer to several models. */
  readonly where: Sql
  /** True if a row may reach several rows, or the same row several times. */
  readonly isMany: boolean
}

/** Joins from `of` along the path `via` to `target`. Throws if the path ends at another model. */
export function reverseJoin(of: Model, via: string, target: Model): ReverseJoin {
  let here: Model = of
  let id = sql`t.id`
  let row: Sql | undefined = sql`t`
  let result: ReverseJoin = { joins: empty, key: id, where: sql`true`, isMany: false }
  for (const [depth, name] of splitPath(via).entries()) {
    // A generic relation may be named without its target model.
    const step: Step | undefined = here.steps.get(name) ?? here.steps.get(`${name}:${target.name}`)
    if (!step || step.kind === 'column') {
      throw new Error(`${of.name}: path ${via} does not lead to ${target.name} at ${name}`)
    }
    const alias = raw(`j${depth}`)
    // The previous step provided only an id, and its row is joined only if a further step needs it.
    const from: Sql = row ?? raw(`r${depth}`)
    if (!row) {
      const join = sql` join ${table(here)} ${from} on ${from}.id = ${id}`
      result = { ...result, joins: sql`${result.joins}${join}` }
    }
    const { id: next, condition, joined } = joinStep(step, from, alias)
    const isLed = joined && allOf(sql`${joined.owner} = ${from}.id`, condition)
    result = {
      joins: joined ? sql`${result.joins} join ${joined.rows} on ${isLed}` : result.joins,
      key: next,
      where: joined ? result.where : allOf(result.where, condition),
      isMany: result.isMany || joined !== undefined,
    }
    id = next
    row = joined?.areRelated ? alias : undefined
    here = step.to
  }
  if (here !== target) throw new Error(`${of.name}: path ${via} does not end at ${target.name}`)
  return result
}
