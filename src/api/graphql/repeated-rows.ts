import { compileFilter } from '../../read/query/compile-filter.ts'
import type { Filter } from '../../read/query/filter.ts'
import type { FilterContext } from '../../read/query/filter-context.ts'
import { allOf, joinStep } from '../../read/query/join-step.ts'
import { isToMany, relatedRows } from '../../read/query/to-many.ts'
import type { Model } from '../../schema/registry.ts'
import { empty, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

type Through = Extract<Filter, { readonly kind: 'through' }>

/** A filter as SQL: joins, which may repeat a row, and the rest of it. */
interface RepeatingFilter {
  readonly joins: Sql
  readonly where: Sql | undefined
}

/**
 * The filter with the semantics of NetBox's GraphQL, where an object appears in a list once for each related object
 * that matches, unless the filter says `DISTINCT: true`.
 */
export async function compileRepeating(filter: Filter, context: FilterContext): Promise<RepeatingFilter> {
  const conditions = conjuncts(filter)
  const repeating = conditions.filter((condition) => isRepeating(context.model, condition)) as Through[]
  const single = conditions.filter((condition) => !isRepeating(context.model, condition))
  const joins = await Promise.all(
    repeating.map((condition, index) => joinThrough(condition, context, raw(`${context.alias.text}m${index}`))),
  )
  const where = single.length === 0 ? undefined : await compileFilter({ kind: 'and', filters: single }, context)
  return { joins: joins.length === 0 ? empty : join(joins, ' '), where }
}

/** The filters of which all have to hold. */
export const conjuncts = (filter: Filter): readonly Filter[] =>
  filter.kind === 'and' ? filter.filters.flatMap(conjuncts) : [filter]

/** Whether the filter leads through a relation to many objects. */
function isRepeating(model: Model, filter: Filter): boolean {
  if (filter.kind !== 'through') return false
  const step = model.steps.get(filter.step)
  if (!step || step.kind === 'column') return false
  return isToMany(step) || conjuncts(filter.filter).some((conjunct) => isRepeating(step.to, conjunct))
}

/** A join of the ids of rows that a related object matches, once for each. */
async function joinThrough({ step: name, filter }: Through, context: FilterContext, alias: Sql): Promise<Sql> {
  const step = context.model.steps.get(name)
  if (!step || step.kind === 'column') throw new Error(`${context.model.name} has no step ${name}`)
  const row = raw(`${alias.text}r`)
  const { joins, where } = await compileRepeating(filter, {
    ...context,
    model: step.to,
    alias: row,
  })
  if (isToMany(step)) {
    const { from, owner, condition } = relatedRows(step, row)
    const predicate = allOf(condition, where, sql`true`)
    return sql`join (select ${owner} as id from ${from} ${joins} where ${predicate}) ${alias} on ${alias}.id = ${context.alias}.id`
  }
  const { id, condition } = joinStep(step, context.alias, row)
  const whereClause = where ? sql` where ${where}` : empty
  const isLed = allOf(sql`${alias}.id = ${id}`, condition)
  return sql`join (select ${row}.id from ${table(step.to)} ${row} ${joins}${whereClause}) ${alias} on ${isLed}`
}
