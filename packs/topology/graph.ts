import { type ApiRequest, cachedResult, mayAct, readerOf, type Sql } from 'cadastre'
import { visibleIds } from 'cadastre/web'
import {
  cablesBetween,
  cablesToCircuits,
  devicesOfPorts,
  kindOfPort,
  type LinkKind,
  pathsBetween,
  placesOfDevices,
  TOPOLOGY_MODELS,
  wirelessBetween,
} from './topology-links.ts'

/** Maximum number of devices of a topology. */
export const MOST_DEVICES = 5_000

/** A device with its place. */
export interface PlacedDevice {
  readonly id: number
  readonly site: number | null
  readonly location: number | null
  readonly rack: number | null
  readonly role: number
}

/** A link between two devices, or between a device and a circuit. */
export interface DeviceLink {
  readonly kind: LinkKind
  readonly a: string
  readonly b: string
  /** The ports that it connects, as `app.model:id`. */
  readonly ports: readonly PortPair[]
  /** Provider of the circuit at one end. */
  readonly provider?: number
}

/** A port at side A of a link, and one at side B. */
export type PortPair = readonly [a: string, b: string]

/** Devices and links that the sender may view; ends of links are `device:1`, `circuit:7`. */
export interface DeviceGraph {
  readonly devices: readonly PlacedDevice[]
  readonly links: readonly DeviceLink[]
  /** There are more devices than a topology covers. */
  readonly isCut: boolean
}

/** The kinds of links of a topology. */
interface WantedLinks {
  readonly kinds: ReadonlySet<LinkKind>
  /** Links through panels and circuits are joined to one between the devices at their ends. */
  readonly isEndToEnd: boolean
}

/** The devices that the filters select, with their links. Throws `invalid` for filters that cannot be used. */
export async function readGraph(
  request: ApiRequest,
  filters: URLSearchParams,
  { kinds, isEndToEnd }: WantedLinks,
): Promise<DeviceGraph> {
  const reader = readerOf(request)
  const where = await reader.condition(TOPOLOGY_MODELS.device, filters)
  const rows = await reader.rows<Place>(placesOfDevices(where, MOST_DEVICES + 1))
  const devices = rows
    .slice(0, MOST_DEVICES)
    .map(([id, site, location, rack, role]) => ({ id, site, location, rack, role }))
  const ids = devices.map(({ id }) => id)
  const joined = isEndToEnd ? await joinedLinks(request, ids, kinds) : undefined
  const [cables, circuits, wireless] = await Promise.all([
    cableLinks(request, ids, kinds),
    kinds.has('circuits') ? circuitLinks(request, ids) : [],
    kinds.has('wireless') ? wirelessLinks(request, ids) : [],
  ])
  const single = [...cables, ...circuits].filter(({ cable }) => !joined?.cables.has(cable))
  const links = [...single, ...wireless, ...(joined?.links ?? [])]
  const linked = new Set(links.flatMap(({ a, b }) => [a, b]))
  return {
    // A panel whose links are all joined is not an end of any of them.
    devices: devices.filter(({ id }) => !joined?.panels.has(id) || linked.has(keyOf('device', id))),
    links,
    isCut: rows.length > MOST_DEVICES,
  }
}

/** A link by one cable. */
interface CableLink extends DeviceLink {
  readonly id: number
  readonly cable: number
}

/** One link for the rows of the same cable, or of the same path, between two devices. */
const merged = <Link extends DeviceLink & { readonly id: number }>(links: readonly Link[]): readonly Link[] =>
  [...Map.groupBy(links, ({ id, a, b }) => `${id} ${a} ${b}`).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, ports: [...first.ports, ...others.flatMap(({ ports }) => ports)] }] : [],
  )

/** Links through any number of panels and circuits, and the objects that they pass. */
interface JoinedLinks {
  readonly links: readonly DeviceLink[]
  readonly cables: ReadonlySet<number>
  /** Devices with the panels. */
  readonly panels: ReadonlySet<number>
}

/**
 * The complete paths between the devices for which the sender may view all cables and circuits. Paths over the air are
 * links already.
 */
async function joinedLinks(
  request: ApiRequest,
  ids: readonly number[],
  kinds: ReadonlySet<LinkKind>,
): Promise<JoinedLinks> {
  const rows = (await resultOf(request, pathsBetween(ids))) as [
    number,
    number,
    number,
    string,
    string[],
    string,
    string,
  ][]
  const matching = rows.filter(
    ([, , , type, nodes]) => kinds.has(kindOfPort(type)) && idsIn(nodes, TOPOLOGY_MODELS.wirelessLink).length === 0,
  )
  const all = matching.flatMap(([, , , , nodes]) => nodes)
  const terminations = idsIn(all, CIRCUIT_END)
  const [cables, ends] = await Promise.all([
    visibleOf(request, TOPOLOGY_MODELS.cable, idsIn(all, TOPOLOGY_MODELS.cable)),
    visibleOf(request, CIRCUIT_END, terminations),
  ])
  const visible = matching.filter(
    ([, , , , nodes]) =>
      idsIn(nodes, TOPOLOGY_MODELS.cable).every((id) => cables.has(id)) &&
      idsIn(nodes, CIRCUIT_END).every((id) => ends.has(id)),
  )
  const passed = visible.flatMap(([, , , , nodes]) => nodes)
  const panels = await resultOf(
    request,
    devicesOfPorts(idsIn(passed, 'dcim.frontport'), idsIn(passed, 'dcim.rearport')),
  )
  return {
    links: merged(
      visible.map(([a, b, id, type, , from, to]) => ({
        ...{ id, kind: kindOfPort(type), a: keyOf('device', a), b: keyOf('device', b) },
        ports: [[from, to]],
      })),
    ),
    cables: new Set(idsIn(passed, TOPOLOGY_MODELS.cable)),
    panels: new Set(panels.map(([device]) => Number(device))),
  }
}

const CIRCUIT_END = 'circuits.circuittermination'

/** Ids of the nodes, written `app.model:id`, that are of the model. */
const idsIn = (nodes: readonly string[], model: string): readonly number[] =>
  nodes.filter((node) => node.startsWith(`${model}:`)).map((node) => Number(node.slice(model.length + 1)))

type Place = [id: number, site: number | null, location: number | null, rack: number | null, role: number]

/** Key of a device, or of a circuit, in a graph. */
export const keyOf = (kind: 'device' | 'circuit', id: number): string => `${kind}:${id}`

async function cableLinks(
  request: ApiRequest,
  ids: readonly number[],
  kinds: ReadonlySet<LinkKind>,
): Promise<readonly CableLink[]> {
  const rows = (await resultOf(request, cablesBetween(ids))) as [number, number, number, string, string, string][]
  const matching = rows.filter(([, , , type]) => kinds.has(kindOfPort(type)))
  const visible = await visibleOf(
    request,
    TOPOLOGY_MODELS.cable,
    matching.map(([, , cable]) => cable),
  )
  const links = matching
    .filter(([, , cable]) => visible.has(cable))
    .map(
      ([a, b, cable, type, from, to]): CableLink => ({
        ...{ id: cable, cable, kind: kindOfPort(type), a: keyOf('device', a), b: keyOf('device', b) },
        ports: [[from, to]],
      }),
    )
  return merged(links)
}

async function circuitLinks(request: ApiRequest, ids: readonly number[]): Promise<readonly CableLink[]> {
  const rows = (await resultOf(request, cablesToCircuits(ids))) as [number, number, number, string, string, number][]
  const [cables, circuits] = await Promise.all([
    visibleOf(
      request,
      TOPOLOGY_MODELS.cable,
      rows.map(([, , cable]) => cable),
    ),
    visibleOf(
      request,
      TOPOLOGY_MODELS.circuit,
      rows.map(([, circuit]) => circuit),
    ),
  ])
  const links = rows
    .filter(([, circuit, cable]) => cables.has(cable) && circuits.has(circuit))
    .map(
      ([device, circuit, cable, from, to, provider]): CableLink => ({
        ...{ id: cable, cable, kind: 'circuits', a: keyOf('device', device), b: keyOf('circuit', circuit), provider },
        ports: [[from, to]],
      }),
    )
  return merged(links)
}

async function wirelessLinks(request: ApiRequest, ids: readonly number[]): Promise<readonly DeviceLink[]> {
  const rows = (await resultOf(request, wirelessBetween(ids))) as [number, number, number, string, string][]
  const visible = await visibleOf(
    request,
    TOPOLOGY_MODELS.wirelessLink,
    rows.map(([, , link]) => link),
  )
  return rows.flatMap(([a, b, link, from, to]): readonly DeviceLink[] =>
    visible.has(link) ? [{ kind: 'wireless', a: keyOf('device', a), b: keyOf('device', b), ports: [[from, to]] }] : [],
  )
}

const resultOf = ({ service }: ApiRequest, statement: Sql): Promise<unknown[][]> => cachedResult(service, statement)

/** The ids of the objects that the sender may view. */
async function visibleOf(request: ApiRequest, name: string, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { actor, service } = request
  const model = service.registry.model(name)
  if (ids.length === 0 || !mayAct(actor, 'view', model, service.settings)) return new Set()
  return new Set(await visibleIds(request, model, [...new Set(ids)]))
}
