import type { PresenceFilter, RelatedFilter } from '../schema/filter.ts'
import type { Model } from '../schema/registry.ts'
import { join, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { anyOf, type FilterCall, givenValues, NULL_TOKEN, negate } from './filter-call.ts'
import { LOOKUPS } from './lookups.ts'
import type { ParameterFilter } from './parameters.ts'
import { parseBoolean } from './parse-value.ts'
import { lacks, reaches } from './reach.ts'

/** Related objects: the path leads to any of those that the values name, in trees also below them. */
export async function filterRelated(
  filter: RelatedFilter,
  call: FilterCall,
): Promise<Sql | undefined> {
  // Where several may be given, an empty one is a name too, and nobody's.
  const values = call.multiple ? call.values : givenValues(call)
  if (values.length === 0) return undefined
  const names = values.filter((value) => value !== NULL_TOKEN)
  const to = call.registry.model(filter.to)
  const ids = await call.related.idsOf(to, filter.by, names)
  // Named by another column, an object that has none there is as good as none.
  const end = filter.by === 'id' || names.length === values.length ? [] : [filter.by]
  const predicates =
    names.length < values.length
      ? [lacks(call.model, call.alias, [filter.path, ...end].join('.'))]
      : []
  if (names.length > 0) {
    predicates.push(
      reaches(call.model, call.alias, filter.path, (id) =>
        filter.descendants ? isBelow(to, id, ids) : sql`${id} = any(${ids}::bigint[])`,
      ),
    )
  }
  const positive = anyOf(predicates)
  return LOOKUPS[call.lookup].negated ? negate(positive) : positive
}

/** The node is one of the tree's nodes with these ids, or stands below one. */
const isBelow = (tree: Model, id: Sql, ids: readonly number[]): Sql =>
  sql`${id} in (select node.id from ${table(tree)} node where node._ancestors && ${ids}::bigint[])`

/** True: the path leads to something; inverted: to nothing. */
export function filterPresence(filter: PresenceFilter, call: FilterCall): Sql | undefined {
  const wanted = parseBoolean(call.values.at(-1) ?? '')
  if (wanted === undefined) return undefined
  const present = isPresent(filter.path, call)
  return wanted === (filter.inverted !== true) ? present : negate(present)
}

const isPresent = (path: string, { model, alias }: FilterCall): Sql =>
  reaches(model, alias, path, (value) => sql`${value} is not null`)

/** Tags: all of them; with `any`, one of them; with `n`, none of them. */
export async function filterTag(
  filter: Extract<ParameterFilter, { readonly kind: 'tag' }>,
  call: FilterCall,
): Promise<Sql> {
  const names = call.values.filter((value) => value !== NULL_TOKEN)
  const ids = await call.related.idsOf(call.registry.model(filter.to), filter.by, names)
  const has = (tags: readonly number[]): Sql =>
    reaches(call.model, call.alias, 'tags', (id) => sql`${id} = any(${tags}::bigint[])`)
  const untagged = names.length < call.values.length ? [negate(isPresent('tags', call))] : []
  if (call.lookup === 'exact') {
    return join([...ids.map((id) => has([id])), ...untagged], ' and ')
  }
  const some = anyOf([...(ids.length > 0 ? [has(ids)] : []), ...untagged])
  return call.lookup === 'n' ? negate(some) : some
}
