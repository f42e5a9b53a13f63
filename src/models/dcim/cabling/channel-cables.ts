import { type Sql, sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table, updateTable } from '../../../sql/table.ts'
import { type Node, nodeOf, splitNode } from './cabled-object.ts'

const INTERFACE = 'dcim.interface'

/**
 * Stores the cable of their parent interface in channels, with their position of the parent's connector, and clears it
 * in channels that have none. Affects the interfaces among the nodes and their channels. Returns the changed interfaces
 * and the cables that they received.
 */
export async function mirrorCables(database: Queryable, nodes: readonly Node[] | 'all'): Promise<Node[]> {
  const ids = nodes === 'all' ? [] : nodes.map(splitNode).flatMap(({ type, id }) => (type === INTERFACE ? id : []))
  if (nodes !== 'all' && ids.length === 0) return []
  const changed = await database.query<{ id: number; cable: number | null }>(
    nodes === 'all'
      ? mirroring(sql`t.channel_id is not null`)
      : mirroring(sql`t.id = any(${ids}::bigint[]) or t.parent_id = any(${ids}::bigint[])`),
  )
  return changed.flatMap(({ id, cable }) => [
    nodeOf(INTERFACE, id),
    ...(cable === null ? [] : [nodeOf('dcim.cable', cable)]),
  ])
}

/**
 * An interface that terminates a cable itself keeps it. A parent without positions, because the cable has no profile,
 * shares nothing.
 */
const mirroring = (among: Sql): Sql => sql`
  ${updateTable(INTERFACE)} t
  set cable_id = m.cable, cable_end = m.cable_end, cable_connector = m.connector, cable_positions = m.positions
  from (
    select t.id, p.cable_id as cable, p.cable_end, p.cable_connector as connector,
      case when p.id is not null then array[p.cable_positions[t.channel_id]] end as positions
    from ${table(INTERFACE)} t
    left join ${table(INTERFACE)} p on p.id = t.parent_id and p.cable_positions[t.channel_id] is not null
    where (${among}) and not exists (
      select from ${table('dcim.cabletermination')} e where e.termination_type = ${INTERFACE} and e.termination_id = t.id)
  ) m
  where t.id = m.id and (t.cable_id, t.cable_end, t.cable_connector, t.cable_positions)
    is distinct from (m.cable, m.cable_end, m.connector, m.positions)
  returning t.id, t.cable_id as cable`
