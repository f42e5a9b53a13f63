import { permittedRowsOrNone } from '../../auth/permitted-rows.ts'
import { freeNetworks } from '../../net/free-space.ts'
import { type Interface, parseInterface, widthOf } from '../../net/ip.ts'
import { cachedColumn } from '../../query/cached-column.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { ActionRequest } from '../action.ts'

/** A prefix with those within it. */
export interface PrefixNode {
  readonly id: number
  readonly network: Interface
  readonly vrf: number | null
  readonly status: string
  /** False: the user may know only that its addresses are not free. */
  readonly isVisible: boolean
  /** Share of the addresses in use, 0 to 1. */
  readonly used: number
  readonly children: readonly PrefixNode[]
  /** Space between the children, as few networks as possible; empty for a prefix without children. */
  readonly free: readonly Interface[]
}

export interface PrefixTree {
  readonly nodes: readonly PrefixNode[]
  readonly free: readonly Interface[]
  /** There are more prefixes than were read. */
  readonly isCut: boolean
}

/** VRF whose prefixes are looked at: null: the global table; undefined: all. */
export type VrfChoice = number | null | undefined

/** Prefixes that are read at most. */
const MOST = 1000

interface StoredPrefix {
  readonly [column: string]: unknown
  readonly id: number
  readonly prefix: string
  readonly vrf: number | null
  readonly status: string
  readonly isVisible: boolean
  readonly isUtilized: boolean
}

/** The prefixes within a network at all levels, with the space between them. `includesEqual`: those of the same size too. */
export async function prefixTree(
  { service, actor }: Pick<ActionRequest, 'service' | 'actor'>,
  whole: Interface & { readonly text: string },
  vrf: VrfChoice,
  includesEqual = false,
): Promise<PrefixTree> {
  const model = service.registry.model('ipam.prefix')
  const permitted = permittedRowsOrNone(actor, 'view', model, service.settings)
  const rows = await service.database.query<StoredPrefix>(sql`
    select t.id, t.prefix, t.vrf_id as vrf, t.status, t.mark_utilized as "isUtilized",
      ${permitted === 'all' ? sql`true` : sql`(${permitted})`} as "isVisible"
    from ${table(model)} t where t.prefix ${includesEqual ? sql`<<=` : sql`<<`} ${whole.text}::cidr and ${inVrf(vrf)}
    order by t.prefix, t.id limit ${MOST + 1}::int`)
  const isCut = rows.length > MOST
  const shown = rows.slice(0, MOST)
  const usage = await addressUsage(
    service,
    shown.filter(({ status }) => status !== 'container').map(({ id }) => Number(id)),
  )
  const nodes = nested(shown, usage)
  // The space behind the last prefix that was read is unknown.
  const free = freeNetworks(
    whole,
    nodes.map(({ network }) => network),
  )
  return { nodes, free: isCut ? [] : free, isCut }
}

/** Predicate over alias `t`: rows of the VRF. */
export const inVrf = (vrf: VrfChoice): Sql => {
  if (vrf === undefined) return sql`true`
  return vrf === null ? sql`t.vrf_id is null` : sql`t.vrf_id = ${vrf}::bigint`
}

/** Number of used addresses of each prefix, by its id: single ones, and those of ranges that are marked as utilized. */
export async function addressUsage(
  service: ActionRequest['service'],
  prefixes: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (prefixes.length === 0) return new Map()
  const address = table('ipam.ipaddress', 'id', '_host', 'vrf_id')
  const range = table('ipam.iprange', 'size', 'start_address', 'vrf_id', 'mark_utilized')
  const counts = await cachedColumn(
    service,
    sql`select (
        select count(*) from ${address} a
        where a._host between host(network(t.prefix))::inet and host(broadcast(t.prefix))::inet
          and a.vrf_id is not distinct from t.vrf_id
      ) + coalesce((
        select sum(r.size) from ${range} r
        where r.mark_utilized and r.start_address <<= t.prefix and r.vrf_id is not distinct from t.vrf_id
      ), 0)
      from ${table('ipam.prefix', 'id', 'prefix', 'vrf_id')} t
      join unnest(${prefixes}::bigint[]) with ordinality as wanted(id, place) on wanted.id = t.id
      order by wanted.place`,
  )
  return new Map(prefixes.map((id, index) => [id, Number(counts[index] ?? 0)]))
}

/** Number of addresses of a network. */
export const sizeOf = ({ family, length }: Interface): bigint =>
  1n << BigInt(widthOf(family) - length)

/** Addresses of a network that can be assigned, as the reference counts them: not the first and last of IPv4. */
export function assignableSize(network: Interface, isPool: boolean): bigint {
  const size = sizeOf(network)
  return network.family === 4 && !isPool && network.length < 31 ? size - 2n : size
}

/** Share of a network that these others cover, which do not overlap. */
export const coverage = (whole: Interface, parts: readonly Interface[]): number =>
  Number(parts.reduce((sum, part) => sum + sizeOf(part), 0n)) / Number(sizeOf(whole))

interface Draft extends StoredPrefix {
  readonly network: Interface
  readonly children: Draft[]
}

/** The rows, which are in order, as a forest. */
function nested(
  rows: readonly StoredPrefix[],
  usage: ReadonlyMap<number, number>,
): readonly PrefixNode[] {
  const roots: Draft[] = []
  const open: Draft[] = []
  for (const row of rows) {
    const network = parseInterface(row.prefix)
    if (!network) throw new Error(`${row.prefix} is no network`)
    const draft = { ...row, network, children: [] }
    while (open.length > 0 && !covers(open.at(-1)?.network, network)) open.pop()
    const parent = open.at(-1)
    if (parent) parent.children.push(draft)
    else roots.push(draft)
    open.push(draft)
  }
  return roots.map((draft) => finished(draft, usage))
}

const covers = (outer: Interface | undefined, inner: Interface): boolean =>
  outer !== undefined &&
  outer.length <= inner.length &&
  outer.value >> hostBits(outer) === inner.value >> hostBits(outer)

const hostBits = ({ family, length }: Interface): bigint => BigInt(widthOf(family) - length)

function finished(draft: Draft, usage: ReadonlyMap<number, number>): PrefixNode {
  const { network, status, isVisible, isUtilized } = draft
  const children = draft.children.map((child) => finished(child, usage))
  const networks = children.map((child) => child.network)
  const used =
    status === 'container'
      ? coverage(network, networks)
      : (usage.get(Number(draft.id)) ?? 0) / Number(assignableSize(network, false))
  return {
    ...{ id: Number(draft.id), network, status, isVisible, children },
    vrf: draft.vrf === null ? null : Number(draft.vrf),
    used: isUtilized ? 1 : Math.min(used, 1),
    free: children.length === 0 && status !== 'container' ? [] : freeNetworks(network, networks),
  }
}
