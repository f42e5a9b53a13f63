import { labelOf } from '../../schema/choice-label.ts'
import type { Fields } from '../../schema/field.ts'
import { choice, integer, list } from '../../schema/field.ts'
import { type CustomFilter, choiceFilter, custom, type FilterDeclaration, listContains } from '../../schema/filter.ts'
import { REQUIRED } from '../../schema/outcome.ts'
import type { ColumnOf } from '../../schema/path.ts'
import type { Refusal } from '../../schema/rule.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { updateTable } from '../../sql/table.ts'
import { serviceProtocol } from './choices.ts'

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
        from unnest(${column('ports')}) as u(port)
      ) n
      group by n.island
    ) r
  ), '') || ')'`

/**
 * The protocols and ports of a service. The separate fields for protocol and ports are null if there are several
 * protocols; bodies may contain them instead of the mappings.
 */
export const portFields = {
  port_mappings: list('portMapping', {
    choices: serviceProtocol,
    default: [],
    blank: false,
    filter: false,
    example: (n) => [`tcp/${8000 + n}`],
  }),
  protocol: choice(serviceProtocol, { nullable: true, unlogged: true, filter: false, example: null }),
  ports: list('integer', {
    range: [1, 65535],
    label: 'Port numbers',
    nullable: true,
    blank: false,
    unlogged: true,
    example: null,
    shownAs: (column) => sql`(select array_agg(port order by port) from unnest(${column('ports')}) port)`,
  }),
  _ports_lowest: integer({
    range: [0, 2147483647],
    nullable: true,
    hidden: true,
    compute: ({ ports }) => (Array.isArray(ports) && ports.length > 0 ? Math.min(...ports.map(Number)) : null),
  }),
}

/** The protocol, or that of the first mapping. */
const firstProtocol = (column: ColumnOf): Sql => sql`split_part(${column('port_mappings')}[1], '/', 1)`

/** API version 4.6 has one protocol and its ports; for a service with several protocols it shows the first. */
export const earlierPorts = {
  without: ['port_mappings'],
  brief: ['id', 'url', 'display', 'name', 'protocol', 'ports', 'description'],
  display: displayWithPorts,
  fields: {
    protocol: choice(serviceProtocol, { lateRequired: true, filter: 'single', shownAs: firstProtocol }),
    ports: list('integer', {
      range: [1, 65535],
      label: 'Port numbers',
      shownAs: (column) => sql`coalesce(${column('ports')}, array(
        select split_part(item, '/', 2)::int from unnest(${column('port_mappings')}) item
        where split_part(item, '/', 1) = ${firstProtocol(column)}))`,
    }),
  } satisfies Fields,
}
export const earlierPortFilters: Readonly<Record<string, FilterDeclaration>> = {
  protocol: choiceFilter('protocol', serviceProtocol, { single: true }),
  port: listContains('ports', 'integer'),
}

type Compare = (item: Sql, values: Parameters<CustomFilter['where']>[1]) => Sql

const ofMapping = (value: 'text' | 'integer', compare: Compare): CustomFilter =>
  custom({
    value,
    multiple: true,
    itemOf: 'port_mappings',
    where: ({ item }, values) => compare(item, values),
  })

const protocolOf = (item: Sql): Sql => sql`split_part(${item}, '/', 1)`
const portOf = (item: Sql): Sql => sql`split_part(${item}, '/', 2)::int`

const withoutMapping = (value: 'text' | 'integer', compare: Compare): CustomFilter =>
  custom({
    value,
    multiple: true,
    where: ({ column }, values) => sql`
      not exists (select from unnest(${column('port_mappings')}) item(value) where ${compare(sql`item.value`, values)})`,
  })

const hasPort: Compare = (item, values) => sql`${portOf(item)} = any(${values}::bigint[])`
const hasProtocol: Compare = (item, values) => sql`${protocolOf(item)} = any(${values}::text[])`

/** Conditions on protocol and port, which a single mapping must meet together. */
export const portFilters = {
  port_mappings: custom({
    value: 'text',
    multiple: true,
    where: ({ column }, values) => sql`${column('port_mappings')} && ${values}::text[]`,
  }),
  port_mappings__n: custom({
    value: 'text',
    multiple: true,
    where: ({ column }, values) => sql`not ${column('port_mappings')} && ${values}::text[]`,
  }),
  protocol: { ...ofMapping('text', hasProtocol), choices: serviceProtocol },
  protocol__n: withoutMapping('text', hasProtocol),
  port: ofMapping('integer', hasPort),
  port__n: withoutMapping('integer', hasPort),
  port__gt: ofMapping('integer', (item, values) => sql`${portOf(item)} > any(${values}::bigint[])`),
  port__gte: ofMapping('integer', (item, values) => sql`${portOf(item)} >= any(${values}::bigint[])`),
  port__lt: ofMapping('integer', (item, values) => sql`${portOf(item)} < any(${values}::bigint[])`),
  port__lte: ofMapping('integer', (item, values) => sql`${portOf(item)} <= any(${values}::bigint[])`),
}

interface Ports {
  readonly port_mappings: readonly string[]
  readonly protocol: 'tcp' | 'udp' | 'sctp' | null
  readonly ports: readonly number[] | null
}
interface PortChange {
  readonly next: Ports
  readonly previous: object | undefined
  readonly sent: ReadonlySet<string>
}

const repeated = (items: readonly unknown[]): boolean => new Set(items).size < items.length

const mappingsOf = ({ protocol, ports }: Ports): readonly string[] => (ports ?? []).map((port) => `${protocol}/${port}`)

/** Whether the body has a protocol or ports, instead of mappings or in addition to them. */
const hasPair = ({ next, sent }: PortChange): boolean =>
  (sent.has('protocol') && next.protocol !== null) || (sent.has('ports') && next.ports !== null)

export function portsAreClear(change: PortChange): Refusal | undefined {
  const { next, previous, sent } = change
  const isMapped = sent.has('port_mappings')
  if (isMapped && repeated(next.port_mappings)) return { port_mappings: 'A port mapping must not be repeated.' }
  if (!hasPair(change)) {
    if (isMapped || (previous && !sent.has('protocol') && !sent.has('ports'))) return undefined
    return { port_mappings: REQUIRED }
  }
  if (sent.has('ports') && repeated(next.ports ?? [])) return { ports: 'A port must not be repeated.' }
  if (isMapped && !(sent.has('protocol') && sent.has('ports'))) return undefined
  if (next.protocol === null || next.ports === null)
    return { __all__: 'Enter both protocol and ports, or port mappings.' }
  const isSame = mappingsOf(next).toSorted().join() === next.port_mappings.toSorted().join()
  return isMapped && !isSame ? { __all__: 'Port mappings, protocol and ports contradict each other.' } : undefined
}

/** Sets the mappings from protocol and ports, or the other way round. */
export const settlePorts = (change: PortChange): Ports | undefined => {
  const { next, sent } = change
  const mappings = !sent.has('port_mappings') && hasPair(change) ? mappingsOf(next) : next.port_mappings
  const pairs = mappings.map((mapping) => mapping.split('/'))
  // Each mapping begins with one of the choices.
  const protocols = new Set(pairs.map(([protocol]) => protocol as Ports['protocol']))
  const [protocol = null] = protocols
  if (protocols.size !== 1) return { port_mappings: mappings, protocol: null, ports: null }
  const ports = pairs.map(([, port]) => Number(port))
  return { port_mappings: mappings, protocol, ports }
}

/** Sets the mappings of rows that come from an earlier version. */
export const fillMappings =
  (model: string) =>
  async (database: Queryable): Promise<void> => {
    await database.execute(sql`
      ${updateTable(model)} set port_mappings = array(select protocol || '/' || port from unnest(ports) port)
      where port_mappings = '{}' and protocol is not null`)
  }
