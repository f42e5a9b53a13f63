import type { EffectFunction } from '../../schema/rule.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { prefix } from './prefix.ts'

/**
 * Recomputes depth (how many different networks contain a prefix) and children (how many prefixes it contains) within
 * a VRF; prefixes without a VRF form a hierarchy of their own. `affected`: ids, as a query.
 */
const recompute = (affected: Sql): Sql => sql`
  ${updateTable('ipam.prefix')} t set _depth = h.depth, _children = h.children
  from (
    select c.id,
      (select count(distinct p.prefix) from ${table('ipam.prefix')} p
        where p.prefix >> c.prefix and p.vrf_id is not distinct from c.vrf_id) as depth,
      (select count(*) from ${table('ipam.prefix')} p
        where p.prefix << c.prefix and p.vrf_id is not distinct from c.vrf_id) as children
    from ${table('ipam.prefix')} c where c.id in (${affected})
  ) h
  where t.id = h.id and (t._depth, t._children) is distinct from (h.depth, h.children)`

/** Recomputes the hierarchy of all prefixes. */
export const rebuildPrefixHierarchy = (database: Queryable): Promise<void> =>
  database.execute(recompute(sql`select id from ${table('ipam.prefix')}`)).then(() => undefined)

/**
 * Recomputes the hierarchy around prefixes that were created, moved or deleted: above and below the old and the new
 * place. NetBox 4.6.8 ipam/signals.py. Creates no change records.
 */
export const keepHierarchy: EffectFunction<typeof prefix.fields> = async ({ rows, database }) => {
  const places = rows.flatMap(({ next, previous }) =>
    next && previous && next.prefix === previous.prefix && next.vrf === previous.vrf
      ? []
      : [next, previous].filter((row) => row !== undefined),
  )
  if (places.length === 0) return
  const networks = sql`unnest(${places.map((row) => row.prefix)}::cidr[],
    ${places.map((row) => row.vrf)}::bigint[]) as q(network, vrf)`
  await database.execute(
    recompute(sql`
      select o.id from ${networks} join ${table('ipam.prefix')} o
        on o.prefix >>= q.network and o.vrf_id is not distinct from q.vrf
      union
      select o.id from ${networks} join ${table('ipam.prefix')} o
        on o.prefix << q.network and o.vrf_id is not distinct from q.vrf`),
  )
}
