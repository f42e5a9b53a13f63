import type { ApiRequest } from '../../api/api-request.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { freeNetworks } from '../../schema/net/free-space.ts'
import { type Interface, parseInterface, widthOf } from '../../schema/net/ip.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { addressUsage, coveredShares } from './prefix-usage.ts'

/** A prefix with the prefixes within it. */
export interface PrefixNode {
  readonly id: number
  readonly network: Interface
  readonly vrf: number | null
  readonly status: string
  /** False: the user may only know that its addresses are not free. */
  readonly isVisible: boolean
  /** Share of the addresses in use, 0 to 1. */
  readonly used: number
  readonly canRunOut: boolean
  readonly children: readonly PrefixNode[]
  /** Space between the children, as the fewest possible networks; empty for a prefix without children. */
  readonly free: readonly Interface[]
}

export interface PrefixTree {
  readonly nodes: readonly PrefixNode[]
  readonly free: readonly Interface[]
  /** There are more prefixes on these levels than were read. */
  readonly isCut: boolean
  /** There are further levels, which were not read. */
  readonly hasDeeper: boolean
}

/** VRF whose prefixes are shown; null: the global table; undefined: all. */
export type VrfChoice = number | null | undefined

/** Maximum number of prefixes that are read; the first level is always complete. */
const MOST = 1000
/** Number of prefixes from which further levels are not read. */
const MANY = 500

interface StoredPrefix {
  readonly [column: string]: unknown
  readonly id: number
  readonly prefix: string
  readonly vrf: number | null
  readonly status: string
  readonly isVisible: boolean
  readonly isUtilized: boolean
  /** Number of prefixes of its VRF that contain it. */
  readonly depth: number
}

/**
 * The prefixes within a network at all levels, with the space between them; if there are very many, only the upper
 * levels. `includesEqual`: also those of the same size.
 */
export async function prefixTree(
  { service, actor }: Pick<ApiRequest, 'service' | 'actor'>,
  whole: Interface & { readonly text: string },
  vrf: VrfChoice,
  includesEqual = false,
): Promise<PrefixTree> {
  const model = service.registry.model('ipam.prefix')
  const permitted = permittedRowsOrNone(actor, 'view', model, service.settings)
  const isInside = sql`t.prefix ${includesEqual ? sql`<<=` : sql`<<`} ${whole.text}::cidr and ${inVrf(vrf)}`
  const deepest = await deepestLevel(service, isInside)
  const rows = await service.database.query<StoredPrefix>(sql`
    select t.id, t.prefix, t.vrf_id as vrf, t.status, t.mark_utilized as "isUtilized", t._depth as depth,
      ${permitted === 'all' ? sql`true` : sql`(${permitted})`} as "isVisible"
    from ${table(model)} t where ${isInside} and ${deepest === undefined ? sql`true` : sql`t._depth <= ${deepest}::int`}
    order by t.prefix, t.id limit ${MOST + 1}::int`)
  const isCut = rows.length > MOST
  const listed = rows.slice(0, MOST)
  const isContainer = ({ status }: StoredPrefix) => status === 'container'
  const idsOf = (some: readonly StoredPrefix[]) => some.map(({ id }) => Number(id))
  const usage = await addressUsage(service, idsOf(listed.filter((prefix) => !isContainer(prefix))))
  const shares = await coveredShares(
    service,
    idsOf(listed.filter((prefix) => isContainer(prefix) && prefix.depth === deepest)),
  )
  const nodes = nested(listed, { usage, shares, deepest })
  // The space after the last prefix that was read is unknown.
  const free = freeNetworks(
    whole,
    nodes.map(({ network }) => network),
  )
  return { nodes, free: isCut ? [] : free, isCut, hasDeeper: deepest !== undefined }
}

/** The last level that is read; undefined if all are. */
async function deepestLevel(service: ApiRequest['service'], isInside: Sql): Promise<number | undefined> {
  const levels = (await cachedResult(
    service,
    sql`select t._depth, count(*) from ${table('ipam.prefix')} t
      where ${isInside} group by t._depth order by t._depth`,
  )) as [depth: number, count: number][] // columns of the query
  let total = 0
  let deepest: number | undefined
  for (const [depth, count] of levels) {
    total += Number(count)
    if (deepest !== undefined && total > MANY) return deepest
    deepest = depth
  }
  return undefined
}

/** Predicate over alias `t`: rows of the VRF. */
export const inVrf = (vrf: VrfChoice): Sql => {
  if (vrf === undefined) return sql`true`
  return vrf === null ? sql`t.vrf_id is null` : sql`t.vrf_id = ${vrf}::bigint`
}

/** Number of addresses of a network. */
export const sizeOf = ({ family, length }: Interface): bigint => 1n << BigInt(widthOf(family) - length)

/** Addresses of a network that can be assigned, as the reference counts them: not the first and last of IPv4. */
export function assignableSize(network: Interface, isPool: boolean): bigint {
  const size = sizeOf(network)
  return network.family === 4 && !isPool && network.length < 31 ? size - 2n : size
}

/**
 * Whether a prefix may run out of addresses unnoticed. A container is meant to be divided completely, one marked as
 * utilized is declared to be full, and the addresses of a link are all in use as soon as it is connected.
 */
export const canRunOut = (prefix: {
  readonly network: Interface
  readonly status: unknown
  readonly isUtilized: boolean
}): boolean =>
  prefix.status !== 'container' && !prefix.isUtilized && prefix.network.length < widthOf(prefix.network.family) - 2

/** Share of a network covered by these other networks, which do not overlap. */
export const coverage = (whole: Interface, parts: readonly Interface[]): number =>
  Number(parts.reduce((sum, part) => sum + sizeOf(part), 0n)) / Number(sizeOf(whole))

interface Draft extends StoredPrefix {
  readonly network: Interface
  readonly children: Draft[]
}

/** Numbers from which the nodes are built. */
interface Counted {
  /** Used addresses by prefix. */
  readonly usage: ReadonlyMap<number, number>
  /** Used shares of containers whose prefixes were not read. */
  readonly shares: ReadonlyMap<number, number>
  readonly deepest: number | undefined
}

/** The rows, which are in order, as a forest. */
function nested(rows: readonly StoredPrefix[], counted: Counted): readonly PrefixNode[] {
  const roots: Draft[] = []
  const open: Draft[] = []
  for (const row of rows) {
    const network = parseInterface(row.prefix)
    if (!network) throw new Error(`${row.prefix} is not a network`)
    const draft = { ...row, network, children: [] }
    while (open.length > 0 && !covers(open.at(-1)?.network, network)) open.pop()
    const parent = open.at(-1)
    if (parent) parent.children.push(draft)
    else roots.push(draft)
    open.push(draft)
  }
  return roots.map((draft) => finished(draft, counted))
}

const covers = (outer: Interface | undefined, inner: Interface): boolean =>
  outer !== undefined &&
  outer.length <= inner.length &&
  outer.value >> hostBits(outer) === inner.value >> hostBits(outer)

const hostBits = ({ family, length }: Interface): bigint => BigInt(widthOf(family) - length)

function finished(draft: Draft, counted: Counted): PrefixNode {
  const { network, status, isVisible, isUtilized } = draft
  const { usage, shares, deepest } = counted
  const id = Number(draft.id)
  const children = draft.children.map((child) => finished(child, counted))
  const networks = children.map((child) => child.network)
  const used =
    status === 'container'
      ? (shares.get(id) ?? coverage(network, networks))
      : (usage.get(id) ?? 0) / Number(assignableSize(network, false))
  // The prefixes within a prefix of the last level were not read, so its free space is unknown.
  const isOpen = draft.depth === deepest || (children.length === 0 && status !== 'container')
  return {
    ...{ id, network, status, isVisible, children },
    vrf: draft.vrf === null ? null : Number(draft.vrf),
    used: isUtilized ? 1 : Math.min(used, 1),
    canRunOut: canRunOut(draft),
    free: isOpen ? [] : freeNetworks(network, networks),
  }
}
