import type { PresenceFilter, RelatedFilter } from '../../schema/filter.ts'
import type { Model } from '../../schema/registry.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { anyOf, type Condition, type Filter, not, notIf } from './filter.ts'
import type { FilterContext } from './filter-context.ts'
import { lookupOf } from './lookups.ts'
import type { ParameterFilter } from './parameters.ts'
import { parseBoolean } from './parse-value.ts'
import { reaches } from './reach.ts'
import { lastParameterValue, NULL_TOKEN, parameterValues, type RequestParameter } from './request-parameter.ts'

/** Related objects: the path leads to any of the named objects, in trees also to objects below them. */
export function parseRelatedFilter(
  { path, to, by, descendants }: RelatedFilter,
  parameter: RequestParameter,
): Filter | undefined {
  // If several values are allowed, an empty one counts as a name too, which no object has.
  const values = parameter.multiple ? parameter.values : parameterValues(parameter)
  if (values.length === 0) return undefined
  const names = values.filter((value) => value !== NULL_TOKEN)
  // For another column, an object without a value there counts as missing.
  const end = by === 'id' || names.length === values.length ? [] : [by]
  const filters: Filter[] = []
  if (names.length < values.length) filters.push({ kind: 'lacking', path: [path, ...end].join('.') })
  if (names.length > 0) {
    filters.push({ kind: 'related', path, to, by, names, ...(descendants && { descendants }) })
  }
  return notIf(lookupOf(parameter.lookup).negated, anyOf(filters))
}

/** True: the path leads to something; inverted: to nothing. */
export function parsePresenceFilter(
  { path, inverted }: PresenceFilter,
  parameter: RequestParameter,
): Filter | undefined {
  const value = parseBoolean(lastParameterValue(parameter))
  if (value === undefined) return undefined
  return notIf(value === (inverted === true), { kind: 'present', path })
}

/** Tags: all of them; with `any`, one of them; with `n`, none of them. */
export function parseTagFilter(
  { to, by }: Extract<ParameterFilter, { readonly kind: 'tag' }>,
  { values, lookup }: RequestParameter,
): Filter {
  const names = values.filter((value) => value !== NULL_TOKEN)
  const has = (tags: readonly string[]): Filter => ({
    ...{ kind: 'related', path: 'tags', to, by },
    names: tags,
  })
  const untagged: Filter[] = names.length < values.length ? [not({ kind: 'present', path: 'tags' })] : []
  if (lookup === 'exact') {
    return { kind: 'and', filters: [...names.map((name) => has([name])), ...untagged] }
  }
  return notIf(lookup === 'n', anyOf([...(names.length > 0 ? [has(names)] : []), ...untagged]))
}

/** Predicate: the path leads to one of the named objects. Throws RefusedValue for a name that no visible object has. */
export async function compileRelated(
  { path, to, by, names, descendants }: Extract<Condition, { readonly kind: 'related' }>,
  { registry, model, alias, related }: FilterContext,
): Promise<Sql> {
  const target = registry.model(to)
  const ids = await related.idsOf(target, by, names)
  return reaches(model, alias, path, (id) =>
    descendants ? isBelow(target, id, ids) : sql`${id} = any(${ids}::bigint[])`,
  )
}

/** The node is one of the tree's nodes with these ids, or below one of them. */
const isBelow = (tree: Model, id: Sql, ids: readonly number[]): Sql =>
  sql`${id} in (select node.id from ${table(tree)} node where node._ancestors && ${ids}::bigint[])`
