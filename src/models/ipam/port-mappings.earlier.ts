import { labelOf } from '../../schema/choice-label.ts'
import type { Fields } from '../../schema/field.ts'
import { choice, list } from '../../schema/field.ts'
import { choiceFilter, type FilterDeclaration, listContains } from '../../schema/filter.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { serviceProtocol } from './choices.ts'

/** The protocol of a service, or that of its first mapping. */
const firstProtocol = (column: ColumnOf): Sql => sql`split_part(${column('port_mappings')}[1], '/', 1)`

/** The ports of that protocol. */
const portsOfFirst = (column: ColumnOf): Sql => sql`coalesce(${column('ports')}, array(
  select split_part(item, '/', 2)::int from unnest(${column('port_mappings')}) item
  where split_part(item, '/', 1) = ${firstProtocol(column)}))`

/** `HTTP (TCP/80, 443, 8000-8010)`: consecutive ports are written as a range; repeated ports are repeated. */
const displayWithPorts = (column: ColumnOf): Sql => sql`
  ${column('name')} || ' (' || ${labelOf(firstProtocol(column), serviceProtocol)} || '/' || coalesce((
    select string_agg(
      case when r.low = r.high then r.low::text else r.low || '-' || r.high end,
      ', ' order by r.low, r.high
    )
    from (
      select min(n.port) as low, max(n.port) as high
      from (
        select u.port, u.port - row_number() over (order by u.port) as island
        from unnest(${portsOfFirst(column)}) as u(port)
      ) n
      group by n.island
    ) r
  ), '') || ')'`

/** API version 4.6 has one protocol and its ports; for a service with several protocols it shows the first. */
export const earlierPorts = {
  without: ['port_mappings'],
  brief: ['id', 'url', 'display', 'name', 'protocol', 'ports', 'description'],
  display: displayWithPorts,
  fields: {
    protocol: choice(serviceProtocol, { lateRequired: true, filter: 'single', shownAs: firstProtocol }),
    ports: list('integer', { range: [1, 65535], label: 'Port numbers', shownAs: portsOfFirst }),
  } satisfies Fields,
}
export const earlierPortFilters: Readonly<Record<string, FilterDeclaration>> = {
  protocol: choiceFilter('protocol', serviceProtocol, { single: true }),
  port: listContains('ports', 'integer'),
}
