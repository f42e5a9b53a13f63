import { join, sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import type { CableEnd } from './cable-wires.ts'
import { type CabledObject, loadCabledObjects, type Node, nodeOf, splitNode } from './cabled-object.ts'

/** One end of a cable at one object. */
export interface Termination {
  readonly cable: number
  readonly end: CableEnd
  readonly node: Node
  readonly connector: number | null
  readonly positions: readonly number[]
}
export interface Cable {
  readonly status: string
  readonly profile: string
  /** Ordered by end, connector and creation. */
  readonly terminations: readonly Termination[]
}
export interface PortWire {
  readonly front: Node
  readonly frontPosition: number
  readonly rear: Node
  readonly rearPosition: number
}
export interface WirelessLink {
  readonly status: string
  readonly ends: readonly [Node, Node]
}

/** The graph in which paths are traced. */
export interface Wiring {
  readonly objects: { get(node: Node): CabledObject | undefined }
  readonly cables: ReadonlyMap<number, Cable>
  readonly wirelessLinks: ReadonlyMap<number, WirelessLink>
  /** Wires within devices, by the ports at both of their ends, ordered by creation. */
  readonly wires: ReadonlyMap<Node, readonly PortWire[]>
  /** Terminations of circuits, by circuit. */
  readonly circuits: ReadonlyMap<Node, readonly CabledObject[]>
  /** Channels of interfaces, by interface. */
  readonly channels: ReadonlyMap<Node, readonly CabledObject[]>
}

const CIRCUIT_END = 'circuits.circuittermination'

class Gathering implements Wiring {
  readonly objects = new Map<Node, CabledObject>()
  readonly cables = new Map<number, Cable>()
  readonly wirelessLinks = new Map<number, WirelessLink>()
  readonly wires = new Map<Node, PortWire[]>()
  readonly circuits = new Map<Node, CabledObject[]>()
  readonly channels = new Map<Node, CabledObject[]>()
  readonly #database: Queryable

  constructor(database: Queryable) {
    this.#database = database
  }

  /** Loads the objects; returns those that exist. */
  async takeObjects(nodes: Iterable<Node> | 'all'): Promise<readonly CabledObject[]> {
    const objects = await loadCabledObjects(this.#database, nodes)
    for (const object of objects) {
      if (this.objects.has(object.node)) continue
      this.objects.set(object.node, object)
      if (object.channelOf !== null) {
        this.channels.set(object.channelOf, [...(this.channels.get(object.channelOf) ?? []), object])
      }
      if (object.type !== CIRCUIT_END) continue
      const ends = [...(this.circuits.get(object.holder) ?? []), object]
      ends.sort((left, right) => ((left.side ?? '') < (right.side ?? '') ? -1 : 1))
      this.circuits.set(object.holder, ends)
    }
    return objects
  }

  async takeCables(ids: readonly number[] | 'all'): Promise<void> {
    if (ids.length === 0) return
    const among = ids === 'all' ? sql`true` : sql`c.id = any(${ids}::bigint[])`
    const rows = (await this.#database.queryArrays(sql`
      select c.id, c.status, c.profile, t.cable_end, t.termination_type, t.termination_id,
        t.connector::int, t.positions
      from ${table('dcim.cable')} c left join ${table('dcim.cabletermination')} t on t.cable_id = c.id
      where ${among} order by c.id, t.cable_end, t.connector, t.id`)) as unknown as [
      number,
      string,
      string | null,
      CableEnd | null,
      string,
      number,
      number | null,
      number[] | null,
    ][]
    for (const [cable, list] of Map.groupBy(rows, ([id]) => id)) {
      const terminations = list.flatMap(([, , , end, type, id, connector, positions]) =>
        end === null ? [] : [{ cable, end, node: nodeOf(type, id), connector, positions: positions ?? [] }],
      )
      const [first] = list
      this.cables.set(cable, { status: first?.[1] ?? '', profile: first?.[2] ?? '', terminations })
    }
  }

  async takeWirelessLinks(ids: readonly number[] | 'all'): Promise<void> {
    if (ids.length === 0) return
    const among = ids === 'all' ? sql`true` : sql`id = any(${ids}::bigint[])`
    const rows = await this.#database.query<{ id: number; status: string; a: number; b: number }>(
      sql`select id, status, interface_a_id as a, interface_b_id as b
        from ${table('wireless.wirelesslink')} where ${among}`,
    )
    for (const { id, status, a, b } of rows) {
      const ends = [nodeOf('dcim.interface', a), nodeOf('dcim.interface', b)] as const
      this.wirelessLinks.set(id, { status, ends })
    }
  }

  async takeWires(ports: readonly CabledObject[] | 'all'): Promise<void> {
    const idsOf = (type: string) =>
      ports === 'all' ? [] : ports.flatMap((port) => (port.type === type ? port.id : []))
    const [fronts, rears] = [idsOf('dcim.frontport'), idsOf('dcim.rearport')]
    if (ports !== 'all' && fronts.length + rears.length === 0) return
    const among =
      ports === 'all'
        ? sql`true`
        : join([sql`front_port_id = any(${fronts}::bigint[])`, sql`rear_port_id = any(${rears}::bigint[])`], ' or ')
    const rows = (await this.#database.queryArrays(sql`
      select front_port_id, front_port_position::int, rear_port_id, rear_port_position::int
      from ${table('dcim.portmapping')} where ${among} order by id`)) as unknown as (readonly number[])[]
    const requested = ports === 'all' ? undefined : new Set(ports.map(({ node }) => node))
    for (const [frontId = 0, frontPosition = 0, rearId = 0, rearPosition = 0] of rows) {
      const front = nodeOf('dcim.frontport', frontId)
      const rear = nodeOf('dcim.rearport', rearId)
      for (const node of [front, rear]) {
        // The port at the other end of the wire may have more wires than the loaded ones.
        if (requested && !requested.has(node)) continue
        const list = this.wires.get(node) ?? []
        list.push({ front, frontPosition, rear, rearPosition })
        this.wires.set(node, list)
      }
    }
  }

  /** Loads objects with everything connected to them: their links, wires and circuits. */
  async takeWithLinks(nodes: Iterable<Node>): Promise<void> {
    const fresh = await this.takeObjects(nodes)
    const cables = new Set(fresh.flatMap(({ cable }) => cable ?? []))
    const links = new Set(fresh.flatMap(({ wirelessLink }) => wirelessLink ?? []))
    await this.takeCables([...cables].filter((id) => !this.cables.has(id)))
    await this.takeWirelessLinks([...links].filter((id) => !this.wirelessLinks.has(id)))
    await this.takeWires(fresh)
    const related = [...(await this.#otherCircuitEnds(fresh)), ...(await this.#channels(fresh))]
    if (related.length > 0) await this.takeWithLinks(related)
  }

  /** Terminations of the same circuits that are not loaded yet. */
  async #otherCircuitEnds(ends: readonly CabledObject[]): Promise<Node[]> {
    const circuits = ends.flatMap(({ type, holder }) => (type === CIRCUIT_END ? splitNode(holder).id : []))
    if (circuits.length === 0) return []
    const rows = await this.#database.query<{ id: number }>(sql`
      select id from ${table('circuits.circuittermination')} where circuit_id = any(${circuits}::bigint[])`)
    return rows.map(({ id }) => nodeOf(CIRCUIT_END, id)).filter((node) => !this.objects.has(node))
  }

  /** Channels of the interfaces that are not loaded yet. */
  async #channels(interfaces: readonly CabledObject[]): Promise<Node[]> {
    const parents = interfaces.flatMap(({ isChannelized, id }) => (isChannelized ? id : []))
    if (parents.length === 0) return []
    const rows = await this.#database.query<{ id: number }>(sql`
      select id from ${table('dcim.interface')}
      where parent_id = any(${parents}::bigint[]) and channel_id is not null order by id`)
    return rows.map(({ id }) => nodeOf('dcim.interface', id)).filter((node) => !this.objects.has(node))
  }
}

/**
 * Repeats `walk` until it needs no further data: the objects that it requests are loaded together, with a few queries
 * per step of all paths. Panels connect whole sites with each other, so only the part that the paths need is read. By
 * the last call, all requested data has been loaded.
 */
export async function walkWiring<T>(database: Queryable, walk: (wiring: Wiring) => T): Promise<T> {
  const gathering = new Gathering(database)
  const requested = new Set<Node>()
  let missing = new Set<Node>()
  const objects: Wiring['objects'] = {
    get: (node) => {
      const object = gathering.objects.get(node)
      if (!object && !requested.has(node)) missing.add(node)
      return object
    },
  }
  const { cables, wirelessLinks, wires, circuits, channels } = gathering
  for (;;) {
    const answer = walk({ objects, cables, wirelessLinks, wires, circuits, channels })
    if (missing.size === 0) return answer
    const batch = missing
    missing = new Set()
    for (const node of batch) requested.add(node)
    await gathering.takeWithLinks(batch)
  }
}

/** The whole cabling. */
export async function loadAllWiring(
  database: Queryable,
): Promise<Wiring & { readonly objects: ReadonlyMap<Node, CabledObject> }> {
  const wiring = new Gathering(database)
  await wiring.takeObjects('all')
  await wiring.takeCables('all')
  await wiring.takeWirelessLinks('all')
  await wiring.takeWires('all')
  return wiring
}
