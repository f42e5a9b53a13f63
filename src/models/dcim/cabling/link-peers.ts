import type { ComputeContext, TextsById } from '../../../schema/computed.ts'
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

/** Objects at the other ends of the links of objects of one model. */
export const linkPeersOf = (
  model: string,
  ids: readonly number[],
  context: ComputeContext,
): Promise<readonly Found[]> =>
  context.share('link peers', async () => {
    const [cabled, wireless] = await Promise.all([
      cablePeersOf(model, ids, context),
      model === 'dcim.interface' ? wirelessPeersOf(ids, context) : [],
    ])
    return [...cabled, ...wireless]
  })

const ENDS = table(
  'dcim.cabletermination',
  ...['cable_id', 'cable_end', 'termination_type', 'termination_id', 'connector', 'positions'],
)

async function cablePeersOf(
  model: string,
  ids: readonly number[],
  { database }: ComputeContext,
): Promise<readonly Found[]> {
  const ends = await database.query<OtherEnd>(sql`
    select own.termination_id as id, peer.termination_type as type, peer.termination_id as object,
      own.cable_end as "ownEnd", own.connector::int as "ownConnector",
      own.positions as "ownPositions", peer.connector::int as connector, peer.positions, c.profile
    from ${ENDS} own
    join ${table('dcim.cable', 'profile')} c on c.id = own.cable_id
    join ${ENDS} peer
      on peer.cable_id = own.cable_id and peer.cable_end <> own.cable_end
    where own.termination_type = ${model} and own.termination_id = any(${ids}::bigint[])
    order by own.termination_id, peer.connector, peer.id
  `)
  return [...Map.groupBy(ends, ({ id }) => id).values()].flatMap(atOtherEnds)
}

async function wirelessPeersOf(
  ids: readonly number[],
  { database }: ComputeContext,
): Promise<readonly Found[]> {
  const wireless = await database.query<{ id: number; object: number }>(sql`
    select i.id, case l.interface_a_id when i.id then l.interface_b_id else l.interface_a_id end
      as object
    from ${table('dcim.interface', 'wireless_link_id', 'cable_id')} i
    join ${table('wireless.wirelesslink', 'interface_a_id', 'interface_b_id')} l on l.id = i.wireless_link_id
    where i.id = any(${ids}::bigint[]) and i.cable_id is null
  `)
  return wireless.map((peer) => ({ ...peer, type: 'dcim.interface', wireless: true }))
}

interface Endpoints {
  readonly ends: readonly Found[]
  readonly reachable: ReadonlySet<number>
}

/** Ends of the complete paths that start at objects of one model, and of those whose path is active. */
export const pathEndpointsOf = (
  model: string,
  ids: readonly number[],
  context: ComputeContext,
): Promise<Endpoints> => context.share('endpoints', () => findEndpoints(model, ids, context))

async function findEndpoints(
  model: string,
  ids: readonly number[],
  { database, model: modelOf }: ComputeContext,
): Promise<Endpoints> {
  const [rows, virtual] = await Promise.all([
    database.query<{ id: number; active: boolean; last: string }>(sql`
      select t.id, p.is_active as active, p.path ->> -1 as last
      from ${table(modelOf(model), '_path_id')} t
      join ${table('dcim.cablepath', 'path', 'is_active', 'is_complete')} p on p.id = t._path_id
      where t.id = any(${ids}::bigint[]) and p.is_complete`),
    model === 'dcim.interface' ? virtualPeersOf(ids, database) : [],
  ])
  const byCircuit = new Set(virtual.map(({ id }) => id))
  const ends = rows.flatMap(({ id, last }) =>
    (JSON.parse(last) as string[]).flatMap((node) => {
      const [type, object] = node.split(':')
      return type && object ? [{ id, type, object: Number(object) }] : []
    }),
  )
  return {
    ends: [...ends.filter(({ id }) => !byCircuit.has(id)), ...virtual],
    reachable: new Set(rows.filter(({ active }) => active).map(({ id }) => id)),
  }
}

const VIRTUAL_ENDS = table(
  'circuits.virtualcircuittermination',
  ...['interface_id', 'virtual_circuit_id', 'role'],
)

/** Virtual interfaces connected by virtual circuits: peers with each other, hubs with spokes. */
const virtualPeersOf = (
  ids: readonly number[],
  database: ComputeContext['database'],
): Promise<Found[]> =>
  database.query<{ id: number; type: string; object: number }>(sql`
    select own.interface_id as id, 'circuits.virtualcircuittermination' as type, peer.id as object
    from ${VIRTUAL_ENDS} own
    join ${VIRTUAL_ENDS} peer
      on peer.virtual_circuit_id = own.virtual_circuit_id and peer.id <> own.id
        and peer.role = case own.role when 'hub' then 'spoke' when 'spoke' then 'hub' else 'peer' end
    where own.interface_id = any(${ids}::bigint[]) order by own.interface_id, peer.id`)

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

interface OtherEnd extends Found, Record<string, unknown> {
  readonly ownEnd: CableEnd
  readonly ownConnector: number | null
  readonly ownPositions: readonly number[] | null
  readonly connector: number | null
  readonly positions: readonly number[] | null
  readonly profile: string | null
}

/** The objects at the other end that the cable's profile wires to the object, in the profile's order. */
function atOtherEnds(ends: readonly OtherEnd[]): readonly Found[] {
  const [first] = ends
  const wires = wiresOf(first?.profile ?? null)
  if (!first || !wires) return ends
  const { ownEnd, ownConnector, ownPositions } = first
  const peers = (ownPositions ?? []).flatMap((position) => {
    if (ownConnector === null) return []
    const [connector, there] = wires.across(ownEnd, [ownConnector, position])
    return (
      ends.find((each) => each.connector === connector && each.positions?.includes(there)) ?? []
    )
  })
  return [...new Set(peers)]
}
