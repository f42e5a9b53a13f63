/** What lies in a part of the address space. */
import {
  type ApiRequest,
  formatInterface,
  formatIp,
  type Interface,
  join,
  lastOf,
  permittedRows,
  type Queryable,
  type Sql,
  sql,
  storedInterface,
  table,
} from 'cadastre'

export const PREFIX = 'ipam.prefix'
export const RANGE = 'ipam.iprange'
export const ADDRESS = 'ipam.ipaddress'
export type Kind = typeof PREFIX | typeof RANGE | typeof ADDRESS

/** A prefix, a range or an address: its first and last address, and the length of its network. */
export interface Piece {
  readonly kind: Kind
  readonly id: number
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
  readonly length: number
  /** Status of a prefix, DNS name of an address. */
  readonly text: string
  /** False: the sender may not know about it. */
  readonly isVisible: boolean
}

/** Everything that overlaps some networks within a VRF, each kind in ascending order. */
export interface Contents {
  readonly prefixes: readonly Piece[]
  readonly ranges: readonly Piece[]
  readonly addresses: readonly Piece[]
}

interface Stored extends Record<string, unknown> {
  readonly id: number
  readonly first: string
  readonly last: string
  readonly text: string
  readonly isVisible: boolean
}

type Reading = Pick<ApiRequest, 'service' | 'actor'>

/** Condition on the rows `t` that the sender may view, as a value. */
function isSeen({ service: { registry, settings }, actor }: Reading, kind: Kind): Sql {
  const rows = permittedRows(actor, 'view', registry.model(kind), settings)
  return rows === 'all' ? sql`true` : rows
}

const inVrf = (vrf: number | null): Sql => (vrf === null ? sql`t.vrf_id is null` : sql`t.vrf_id = ${vrf}::bigint`)

async function prefixesWhere(
  reading: Reading,
  database: Queryable,
  vrf: number | null,
  condition: Sql,
): Promise<readonly Piece[]> {
  const rows = await database.query<Stored>(sql`
    select t.id, t.prefix::text as first, t.prefix::text as last, t.status as text, ${isSeen(reading, PREFIX)} as "isVisible"
    from ${table(PREFIX)} t where ${condition} and ${inVrf(vrf)} order by t.prefix, t.id`)
  return rows.map((row) => pieceOf(PREFIX, row))
}

/** The prefixes of the VRF with these ids. */
export const prefixesWith = (
  reading: Reading,
  database: Queryable,
  vrf: number | null,
  ids: readonly number[],
): Promise<readonly Piece[]> => prefixesWhere(reading, database, vrf, sql`t.id = any(${ids}::bigint[])`)

/** Reads what overlaps the networks: with `database`, inside of the transaction that changes it. */
export async function contentsOf(
  reading: Reading,
  database: Queryable,
  vrf: number | null,
  networks: readonly Interface[],
): Promise<Contents> {
  const anyOf = (condition: (network: Interface) => Sql): Sql => sql`(${join(networks.map(condition), ' or ')})`
  // Ranges of hosts, since the index on addresses has no networks.
  const ends = (network: Interface) => [formatIp(network), formatIp(lastOf(network))] as const
  const [prefixes, ranges, addresses] = await Promise.all([
    prefixesWhere(
      reading,
      database,
      vrf,
      anyOf((network) => sql`t.prefix && ${formatInterface(network)}::cidr`),
    ),
    database.query<Stored>(sql`
      select t.id, t.start_address::text as first, t.end_address::text as last, '' as text, ${isSeen(reading, RANGE)} as "isVisible"
      from ${table(RANGE)} t where ${inVrf(vrf)} and ${anyOf((network) => {
        const [low, high] = ends(network)
        return sql`host(t.start_address)::inet <= ${high}::inet and host(t.end_address)::inet >= ${low}::inet`
      })} order by t.start_address, t.id`),
    database.query<Stored>(sql`
      select t.id, t.address::text as first, t.address::text as last, t.dns_name as text, ${isSeen(reading, ADDRESS)} as "isVisible"
      from ${table(ADDRESS)} t where ${inVrf(vrf)} and ${anyOf((network) => {
        const [low, high] = ends(network)
        return sql`t._host between ${low}::inet and ${high}::inet`
      })} order by t._host, t.id`),
  ])
  return {
    prefixes,
    ranges: ranges.map((row) => pieceOf(RANGE, row)),
    addresses: addresses.map((row) => pieceOf(ADDRESS, row)),
  }
}

function pieceOf(kind: Kind, { id, first, last, text, isVisible }: Stored): Piece {
  const start = storedInterface(first)
  const end = storedInterface(last)
  return {
    ...{ kind, id: Number(id), family: start.family, length: start.length, text, isVisible },
    first: start.value,
    last: kind === PREFIX ? lastOf(start).value : end.value,
  }
}

/** The network of a prefix. */
export const networkOf = ({ family, first, length }: Piece): Interface => ({ family, value: first, length })

/** A network as a prefix that is not stored. */
export const prefixOf = (network: Interface): Piece => {
  const { family, value, length } = network
  return { kind: PREFIX, id: 0, family, first: value, last: lastOf(network).value, length, text: '', isVisible: true }
}

/** Whether the piece lies in the network as a whole. */
export const isWithin = (piece: Piece, network: Interface): boolean =>
  piece.family === network.family && piece.first >= network.value && piece.last <= lastOf(network).value

/** Whether the piece and the network have an address in common. */
export const overlaps = (piece: Piece, network: Interface): boolean =>
  piece.family === network.family && piece.first <= lastOf(network).value && piece.last >= network.value

const HIDDEN: Readonly<Record<Kind, string>> = {
  [PREFIX]: 'A prefix that you may not view',
  [RANGE]: 'A range that you may not view',
  [ADDRESS]: 'An address that you may not view',
}

/** The name of a piece in a sentence; hidden ones have none. */
export function nameOf({ kind, family, first, last, length, isVisible }: Piece): string {
  if (!isVisible) return HIDDEN[kind]
  const start = formatIp({ family, value: first })
  return kind === RANGE ? `${start}-${formatIp({ family, value: last })}` : `${start}/${length}`
}

/** The prefixes by their first addresses, larger ones first: one that overlaps others overlaps a neighbour. */
export const ascending = (prefixes: readonly Piece[]): readonly Piece[] =>
  prefixes.toSorted((left, right) =>
    left.first < right.first ? -1 : left.first > right.first ? 1 : left.length - right.length,
  )

/** The prefixes that lie in none of the others, in ascending order; one of several equal ones. */
export function outermost(prefixes: readonly Piece[]): readonly Piece[] {
  const outer: Piece[] = []
  for (const piece of ascending(prefixes)) {
    const last = outer.at(-1)
    if (!last || !isWithin(piece, networkOf(last))) outer.push(piece)
  }
  return outer
}

/** Finds the network that contains a piece, among networks that do not overlap. */
export function finder(networks: readonly Interface[]): (piece: Piece) => Interface | undefined {
  const sorted = networks.toSorted((left, right) => (left.value < right.value ? -1 : 1))
  return (piece) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle]?.value ?? 0n) <= piece.first) low = middle + 1
      else high = middle
    }
    const network = sorted[low - 1]
    return network && isWithin(piece, network) ? network : undefined
  }
}
