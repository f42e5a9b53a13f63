import type { BatchQuery, ComputeContext, RowsByOwner, TextsById } from '../../../schema/computed.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { type CableEnd, wiresOf } from './cable-wires.ts'

/** Nested JSON texts of objects of several types: one batch for each type. */
export async function nestedTexts(
  objects: readonly { readonly type: string; readonly object: number }[],
  { nested }: ComputeContext,
): Promise<(type: string, id: number) => string | undefined> {
  const byType = Map.groupBy(objects, ({ type }) => type)
  const texts = new Map(
    await Promise.all(
      [...byType].map(
        async ([type, items]) => [type, await nested(type, [...new Set(items.map(({ object }) => object))])] as const,
      ),
    ),
  )
  return (type, id) => texts.get(type)?.get(id)
}

/** An object (`type`, `object`) that is connected to the object `id`. */
interface Found {
  readonly id: number
  readonly type: string
  readonly object: number
  readonly wireless?: boolean
}

/** The objects to which those of one model are connected: queries about a page, and their results. */
interface Connections<T> {
  readonly queries: readonly BatchQuery[]
  find(context: ComputeContext): Promise<T>
}

/** Objects at the other ends of the links of objects of the model. */
export function linkPeersOf(model: string): Connections<readonly Found[]> {
  const cablePeers = cablePeersOf(model)
  const hasWireless = model === 'dcim.interface'
  const find = async ({ results }: ComputeContext): Promise<readonly Found[]> => {
    const cabled = [...(await results(cablePeers))].flatMap(([id, ends]) =>
      atOtherEnds(ends.map((end) => otherEnd(id, end))),
    )
    if (!hasWireless) return cabled
    const wireless = [...(await results(WIRELESS_PEERS))].flatMap(([id, peers]) =>
      peers.map(([object]) => ({
        id,
        type: 'dcim.interface',
        object: Number(object),
        wireless: true,
      })),
    )
    return [...cabled, ...wireless]
  }
  return {
    queries: hasWireless ? [cablePeers, WIRELESS_PEERS] : [cablePeers],
    find: (context) => context.share('link peers', () => find(context)),
  }
}

/** The peers of each object, and their wiring, in the order that `otherEnd` expects. */
const cablePeersOf =
  (model: string): BatchQuery =>
  (ids) =>
    sql`
    select own.id, peer.termination_type, peer.termination_id, c.profile,
      own.cable_end, own.cable_connector, own.cable_positions, peer.connector, peer.positions
    from ${table(model)} own
    join ${table('dcim.cable')} c on c.id = own.cable_id
    join ${table('dcim.cabletermination')} peer
      on peer.cable_id = own.cable_id and peer.cable_end <> own.cable_end
    where own.id = any(${ids}::bigint[])
    order by peer.connector, peer.id`

const WIRELESS_PEERS: BatchQuery = (ids) => sql`
  select i.id, case l.interface_a_id when i.id then l.interface_b_id else l.interface_a_id end
  from ${table('dcim.interface')} i
  join ${table('wireless.wirelesslink')} l on l.id = i.wireless_link_id
  where i.id = any(${ids}::bigint[]) and i.cable_id is null`

interface Endpoints {
  readonly ends: readonly Found[]
  readonly reachable: ReadonlySet<number>
}

/** Ends of the complete paths that start at objects of the model, and of those whose path is active. */
export function pathEndpointsOf(model: string): Connections<Endpoints> {
  const pathEnds = pathEndsOf(model)
  const hasVirtual = model === 'dcim.interface'
  const find = async ({ results }: ComputeContext): Promise<Endpoints> => {
    const paths = await results(pathEnds)
    const circuits: RowsByOwner = hasVirtual ? await results(VIRTUAL_PEERS) : new Map()
    const virtual = [...circuits].flatMap(([id, peers]) =>
      peers.map(([peer]) => ({ ...{ id, object: Number(peer) }, type: VIRTUAL_TERMINATION })),
    )
    const ends = [...paths].flatMap(([id, [path]]) =>
      circuits.has(id) ? [] : nodesOf(path?.[1]).map((node) => namedObject(id, node)),
    )
    return {
      ends: [...ends, ...virtual],
      reachable: new Set([...paths].flatMap(([id, [path]]) => (path?.[0] ? [id] : []))),
    }
  }
  return {
    queries: hasVirtual ? [pathEnds, VIRTUAL_PEERS] : [pathEnds],
    find: (context) => context.share('endpoints', () => find(context)),
  }
}

/** Whether the path of an object is active, and the nodes at its end as a JSON list of strings, `type:id`. */
const pathEndsOf =
  (model: string): BatchQuery =>
  (ids) =>
    sql`
    select t.id, p.is_active, p.path ->> -1
    from ${table(model)} t
    join ${table('dcim.cablepath')} p on p.id = t._path_id
    where t.id = any(${ids}::bigint[]) and p.is_complete`

const VIRTUAL_TERMINATION = 'circuits.virtualcircuittermination'

const VIRTUAL_ENDS = table(VIRTUAL_TERMINATION)

/** Virtual interfaces connected by virtual circuits: peers with each other, hubs with spokes. */
const VIRTUAL_PEERS: BatchQuery = (ids) => sql`
  select own.interface_id, peer.id
  from ${VIRTUAL_ENDS} own
  join ${VIRTUAL_ENDS} peer
    on peer.virtual_circuit_id = own.virtual_circuit_id and peer.id <> own.id
      and peer.role = case own.role when 'hub' then 'spoke' when 'spoke' then 'hub' else 'peer' end
  where own.interface_id = any(${ids}::bigint[]) order by peer.id`

/** The nodes of a stored list. */
const nodesOf = (list: unknown): readonly string[] => JSON.parse(String(list ?? '[]'))

/** The object that a value names by type and id. */
function namedObject(id: number, value: string): Found {
  const [type = '', object] = value.split(':')
  return { id, type, object: Number(object) }
}

/** JSON lists of nested objects by the id of the object to which they are connected; undefined if nothing was found. */
export async function nestedLists(terminations: readonly Found[], context: ComputeContext): Promise<TextsById> {
  const texts = await nestedTexts(terminations, context)
  const byId = Map.groupBy(terminations, ({ id }) => id)
  return {
    get: (id) => {
      const items = byId.get(id)?.flatMap(({ type, object }) => texts(type, object) ?? [])
      return items && `[${items.join()}]`
    },
  }
}

interface OtherEnd extends Found {
  readonly ownEnd: CableEnd
  readonly ownConnector: number
  readonly ownPositions: readonly number[]
  readonly connector: number
  readonly positions: readonly number[]
  readonly profile: string | null
}

/** Numbers of connectors and positions start at 1; 0 means none. */
function otherEnd(id: number, row: readonly unknown[]): OtherEnd {
  const [type, object, profile, ownEnd, ownConnector, ownPositions, connector, positions] = row
  return {
    ...{ id, type: String(type), object: Number(object) },
    profile: profile === null ? null : String(profile),
    ownEnd: ownEnd === 'B' ? 'B' : 'A',
    ownConnector: Number(ownConnector),
    ownPositions: numbersOf(ownPositions),
    connector: Number(connector),
    positions: numbersOf(positions),
  }
}

/** The numbers of an array of the database, which may be null. */
const numbersOf = (list: unknown): readonly number[] => (Array.isArray(list) ? list.map(Number) : [])

/** The objects at the other end to which the cable's profile wires the object, in the profile's order. */
function atOtherEnds(ends: readonly OtherEnd[]): readonly Found[] {
  const [first] = ends
  const wires = wiresOf(first?.profile ?? null)
  if (!first || !wires) return ends
  const { ownEnd, ownConnector, ownPositions } = first
  if (ownConnector === 0) return []
  const peers = ownPositions.flatMap((position) => {
    const [connector, there] = wires.across(ownEnd, [ownConnector, position])
    return ends.find((end) => end.connector === connector && end.positions.includes(there)) ?? []
  })
  return [...new Set(peers)]
}
