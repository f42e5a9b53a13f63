import { join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { CableEnd } from './cable-wires.ts'
import {
  type CabledObject,
  loadCabledObjects,
  type Node,
  nodeOf,
  splitNode,
} from './cabled-object.ts'

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
  /** In the order of ends, connectors and creation. */
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

/** A part of all that is connected: whatever can be reached from some objects, or everything. */
export interface Wiring {
  readonly objects: ReadonlyMap<Node, CabledObject>
  readonly cables: ReadonlyMap<number, Cable>
  readonly wirelessLinks: ReadonlyMap<number, WirelessLink>
  /** Wires within devices, by the ports at both of their ends, in the order of creation. */
  readonly wires: ReadonlyMap<Node, readonly PortWire[]>
  /** Terminations of circuits, by circuit. */
  readonly circuits: ReadonlyMap<Node, readonly CabledObject[]>
}

const CIRCUIT_END = 'circuits.circuittermination'

class Gathering implements Wiring {
  readonly objects = new Map<Node, CabledObject>()
  readonly cables = new Map<number, Cable>()
  readonly wirelessLinks = new Map<number, WirelessLink>()
  readonly wires = new Map<Node, PortWire[]>()
  readonly circuits = new Map<Node, CabledObject[]>()
  readonly #database: Queryable
  readonly #knownWires = new Set<number>()

  constructor(database: Queryable) {
    this.#database = database
  }

  /** Takes the objects in; those that exist are the answer. */
  async takeObjects(wanted: Iterable<Node> | 'all'): Promise<readonly CabledObject[]> {
    const found = await loadCabledObjects(this.#database, wanted)
    for (const object of found) {
      this.objects.set(object.node, object)
      if (object.type !== CIRCUIT_END) continue
      const ends = [...(this.circuits.get(object.holder) ?? []), object]
      ends.sort((one, other) => ((one.side ?? '') < (other.side ?? '') ? -1 : 1))
      this.circuits.set(object.holder, ends)
    }
    return found
  }

  async takeCables(ids: readonly number[] | 'all'): Promise<Node[]> {
    if (ids.length === 0) return []
    const among = ids === 'all' ? sql`true` : sql`c.id = any(${ids}::bigint[])`
    const rows = (await this.#database.queryArrays(sql`
      select c.id, c.status, c.profile, t.cable_end, t.termination_type, t.termination_id,
        t.connector::int, t.positions
      from dcim_cable c left join dcim_cabletermination t on t.cable_id = c.id
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
    const nodes: Node[] = []
    for (const [cable, list] of Map.groupBy(rows, ([id]) => id)) {
      const terminations = list.flatMap(([, , , end, type, id, connector, positions]) =>
        end === null
          ? []
          : [{ cable, end, node: nodeOf(type, id), connector, positions: positions ?? [] }],
      )
      const [first] = list
      this.cables.set(cable, { status: first?.[1] ?? '', profile: first?.[2] ?? '', terminations })
      nodes.push(...terminations.map(({ node }) => node))
    }
    return nodes
  }

  async takeWirelessLinks(ids: readonly number[] | 'all'): Promise<Node[]> {
    if (ids.length === 0) return []
    const among = ids === 'all' ? sql`true` : sql`id = any(${ids}::bigint[])`
    const rows = await this.#database.query<{ id: number; status: string; a: number; b: number }>(
      sql`select id, status, interface_a_id as a, interface_b_id as b
        from wireless_wirelesslink where ${among}`,
    )
    return rows.flatMap(({ id, status, a, b }) => {
      const ends = [nodeOf('dcim.interface', a), nodeOf('dcim.interface', b)] as const
      this.wirelessLinks.set(id, { status, ends })
      return ends
    })
  }

  async takeWires(ports: readonly CabledObject[] | 'all'): Promise<Node[]> {
    const idsOf = (type: string) =>
      ports === 'all' ? [] : ports.flatMap((each) => (each.type === type ? each.id : []))
    const [fronts, rears] = [idsOf('dcim.frontport'), idsOf('dcim.rearport')]
    if (ports !== 'all' && fronts.length + rears.length === 0) return []
    const among =
      ports === 'all'
        ? sql`true`
        : join(
            [
              sql`front_port_id = any(${fronts}::bigint[])`,
              sql`rear_port_id = any(${rears}::bigint[])`,
            ],
            ' or ',
          )
    const rows = (await this.#database.queryArrays(sql`
      select id, front_port_id, front_port_position::int, rear_port_id, rear_port_position::int
      from dcim_portmapping where ${among} order by id`)) as unknown as (readonly number[])[]
    const nodes: Node[] = []
    for (const [id = 0, frontId = 0, frontPosition = 0, rearId = 0, rearPosition = 0] of rows) {
      if (this.#knownWires.has(id)) continue
      this.#knownWires.add(id)
      const front = nodeOf('dcim.frontport', frontId)
      const rear = nodeOf('dcim.rearport', rearId)
      for (const node of [front, rear]) {
        const list = this.wires.get(node) ?? []
        list.push({ front, frontPosition, rear, rearPosition })
        this.wires.set(node, list)
        nodes.push(node)
      }
    }
    return nodes
  }

  /** The other terminations of the circuits of these. */
  async otherCircuitEnds(ends: readonly CabledObject[]): Promise<Node[]> {
    const circuits = ends.flatMap(({ type, holder }) =>
      type === CIRCUIT_END ? splitNode(holder).id : [],
    )
    if (circuits.length === 0) return []
    const rows = await this.#database.query<{ id: number }>(sql`
      select id from circuits_circuittermination where circuit_id = any(${circuits}::bigint[])`)
    return rows.map(({ id }) => nodeOf(CIRCUIT_END, id))
  }
}

/** All that can be reached from the objects: a few queries for each step, however many objects. */
export async function loadWiring(database: Queryable, from: Iterable<Node>): Promise<Wiring> {
  const wiring = new Gathering(database)
  let wanted = new Set(from)
  while (wanted.size > 0) {
    const fresh = await wiring.takeObjects(wanted)
    const cables = [...new Set(fresh.flatMap(({ cable }) => cable ?? []))]
    const links = [...new Set(fresh.flatMap(({ wirelessLink }) => wirelessLink ?? []))]
    const found = [
      ...(await wiring.takeCables(cables.filter((id) => !wiring.cables.has(id)))),
      ...(await wiring.takeWirelessLinks(links.filter((id) => !wiring.wirelessLinks.has(id)))),
      ...(await wiring.takeWires(fresh)),
      ...(await wiring.otherCircuitEnds(fresh)),
    ]
    wanted = new Set(found.filter((node) => !wiring.objects.has(node)))
    // What does not exist any more is not asked for again.
    if (fresh.length === 0) break
  }
  return wiring
}

export async function loadAllWiring(database: Queryable): Promise<Wiring> {
  const wiring = new Gathering(database)
  await wiring.takeObjects('all')
  await wiring.takeCables('all')
  await wiring.takeWirelessLinks('all')
  await wiring.takeWires('all')
  return wiring
}
