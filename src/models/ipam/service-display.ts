import { labelOf } from '../../schema/choice-label.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { serviceProtocol } from './choices.ts'

/** `HTTP (TCP/80, 443, 8000-8010)`: consecutive ports are written as a range, repeated ones again. */
export const displayOfService = (column: ColumnOf): Sql => sql`
  ${column('name')} || ' (' || ${labelOf(column('protocol'), serviceProtocol)} || '/' || coalesce((
    select string_agg(
      case when r.low = r.high then r.low::text else r.low || '-' || r.high end,
      ', ' order by r.low, r.high
    )
    from (
      select min(n.port) as low, max(n.port) as high
      from (
        select u.port, u.port - row_number() over (order by u.port) as island
        from unnest(${column('ports')}) as u(port)
      ) n
      group by n.island
    ) r
  ), '') || ')'`

/** The lowest of a service's ports, which determines the order of services. */
export const lowestPort = (ports: unknown): number | null =>
  Array.isArray(ports) && ports.length > 0 ? Math.min(...ports.map(Number)) : null
