import type { ComputeContext, PageQuery, TextsById } from '../../../schema/computed.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { nestedTexts } from '../nested-texts.ts'
import { type CableEnd, wiresOf } from './cable-wires.ts'

/** An object (`type`, `object`) that is connected to the object `id`. */
export interface Found {
  readonly id: number
  readonly type: string
  readonly object: number
  readonly wireless?: boolean
}

/** The objects to which those of one model are connected: queries about a page, and what they find. */
interface Connections<T> {
  readonly queries: readonly PageQuery[]
  find(context: ComputeContext): Promise<T>
}

/** Objects at the other ends of the links of objects of the model. */
export function linkPeersOf(model: string): Connections<readonly Found[]> {
  const cablePeers = cablePeersOf(model)
  const hasWireless = model === 'dcim.interface'
  const find = async ({ results }: ComputeContext): Promise<readonly Found[]> => {
    const cabled = [...(await results(cablePeers))].flatMap(([id, ends]) =>
      atOtherEnds(ends.split(',').map((end) => otherEnd(id, end))),
    )
    if (!hasWireless) return cabled
    const wireless = [...(await results(WIRELESS_PEERS))].map(([id, peer]) => found(id, peer))
    return [...cabled, ...wireless.map((peer) => ({ ...peer, wireless: true }))]
  }
  return {
    queries: hasWireless ? [cablePeers, WIRELESS_PEERS] : [cablePeers],
    find: (context) => context.share('link peers', () => find(context)),
  }
}

const ENDS = table(
  'dcim.cabletermination',
  ...['cable_id', 'cable_end', 'termination_type', 'termination_id', 'connector', 'positions'],
)

/** Each value is the type and the id of a peer, then, where the cable has a profile, the values of `OtherEnd` in the order in which `otherEnd` takes them apart. */
const cablePeersOf =
  (model: string): PageQuery =>
  (ids) =>
    sql`
    select own.termination_id, string_agg(
      peer.termination_type || ':' || peer.termination_id || case when c.profile is null then '' else
        ':' || c.profile || ':' || own.cable_end || ':' || coalesce(own.connector::text, '')
          || ':' || coalesce(array_to_string(own.positions, '+'), '') || ':' || coalesce(peer.connector::text, '')
          || ':' || coalesce(array_to_string(peer.positions, '+'), '') end,
      ',' order by peer.connector, peer.id)
    from ${ENDS} own
    join ${table('dcim.cable', 'profile')} c on c.id = own.cable_id
    join ${ENDS} peer
      on peer.cable_id = own.cable_id and peer.cable_end <> own.cable_end
    where own.termination_type = ${model} and own.termination_id = any(${ids}::bigint[]) group by 1`

const WIRELESS_PEERS: PageQuery = (ids) => sql`
  select i.id,
    'dcim.interface:' || case l.interface_a_id when i.id then l.interface_b_id else l.interface_a_id end
  from ${table('dcim.interface', 'wireless_link_id', 'cable_id')} i
  join ${table('wireless.wirelesslink', 'interface_a_id', 'interface_b_id')} l on l.id = i.wireless_link_id
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
    const paths = [...(await results(pathEnds))].map(([id, path]) => {
      const [isActive, ...ends] = path.split(',')
      return { id, isActive: isActive === 'true', ends }
    })
    const circuits = hasVirtual ? await results(VIRTUAL_PEERS) : new Map<number, string>()
    const virtual = [...circuits].flatMap(([id, peers]) =>
      peers.split(',').map((peer) => found(id, peer)),
    )
    const ends = paths.flatMap(({ id, ends }) =>
      circuits.has(id) ? [] : ends.filter((end) => end.includes(':')).map((end) => found(id, end)),
    )
    return {
      ends: [...ends, ...virtual],
      reachable: new Set(paths.filter(({ isActive }) => isActive).map(({ id }) => id)),
    }
  }
  return {
    queries: hasVirtual ? [pathEnds, VIRTUAL_PEERS] : [pathEnds],
    find: (context) => context.share('endpoints', () => find(context)),
  }
}

/**
 * The first value says whether the path is active; the others are the nodes at its end, of which a path may have none. They are stored as a
 * JSON list of texts, `type:id`, in which nothing is escaped.
 */
const pathEndsOf =
  (model: string): PageQuery =>
  (ids) =>
    sql`
    select t.id, p.is_active::text || ',' || translate(p.path ->> -1, '[]" ', '')
    from ${table(model, '_path_id')} t
    join ${table('dcim.cablepath', 'path', 'is_active', 'is_complete')} p on p.id = t._path_id
    where t.id = any(${ids}::bigint[]) and p.is_complete`

const VIRTUAL_ENDS = table(
  'circuits.virtualcircuittermination',
  ...['interface_id', 'virtual_circuit_id', 'role'],
)

/** Virtual interfaces connected by virtual circuits: peers with each other, hubs with spokes. */
const VIRTUAL_PEERS: PageQuery = (ids) => sql`
  select own.interface_id, string_agg('circuits.virtualcircuittermination:' || peer.id, ',' order by peer.id)
  from ${VIRTUAL_ENDS} own
  join ${VIRTUAL_ENDS} peer
    on peer.virtual_circuit_id = own.virtual_circuit_id and peer.id <> own.id
      and peer.role = case own.role when 'hub' then 'spoke' when 'spoke' then 'hub' else 'peer' end
  where own.interface_id = any(${ids}::bigint[]) group by 1`

/** The object that a value names by type and id. */
function found(id: number, value: string): Found {
  const [type = '', object] = value.split(':')
  return { id, type, object: Number(object) }
}

/** JSON lists of nested objects by the id that they are connected to; undefined where nothing was found. */
export async function nestedLists(
  found: readonly Found[],
  context: ComputeContext,
): Promise<TextsById> {
  const texts = await nestedTexts(found, context)
  const byId = Map.groupBy(found, ({ id }) => id)
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

/** Numbers of connectors and positions are 1 or more; 0 stands for none. */
function otherEnd(id: number, value: string): OtherEnd {
  const [type = '', object, profile, ownEnd, ownConnector, ownPositions, connector, positions] =
    value.split(':')
  return {
    ...{ id, type, object: Number(object) },
    profile: profile ?? null,
    ownEnd: ownEnd === 'B' ? 'B' : 'A',
    ownConnector: Number(ownConnector),
    ownPositions: numbersIn(ownPositions),
    connector: Number(connector),
    positions: numbersIn(positions),
  }
}

const numbersIn = (list = ''): readonly number[] => (list === '' ? [] : list.split('+').map(Number))

/** The objects at the other end that the cable's profile wires to the object, in the profile's order. */
function atOtherEnds(ends: readonly OtherEnd[]): readonly Found[] {
  const [first] = ends
  const wires = wiresOf(first?.profile ?? null)
  if (!first || !wires) return ends
  const { ownEnd, ownConnector, ownPositions } = first
  if (ownConnector === 0) return []
  const peers = ownPositions.flatMap((position) => {
    const [connector, there] = wires.across(ownEnd, [ownConnector, position])
    return ends.find((each) => each.connector === connector && each.positions.includes(there)) ?? []
  })
  return [...new Set(peers)]
}
