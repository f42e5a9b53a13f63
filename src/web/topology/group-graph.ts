import { type DeviceGraph, keyOf, type PlacedDevice, type PortPair } from './graph.ts'
import type { LinkKind } from './topology-links.ts'

/** Maximum number of nodes of a map; for more devices, those of the same place become one node. */
const MOST_NODES = 120

/** Places by which devices are grouped, the smallest first. */
export const GROUPINGS = ['rack', 'location', 'site'] as const
export type Grouping = (typeof GROUPINGS)[number] | 'none'

/** A node of a map: a device, a circuit, or the devices of a place. */
export interface MapNode {
  readonly key: string
  /** Model of the object, and its id; null for devices without such a place. */
  readonly kind: 'device' | 'circuit' | Exclude<Grouping, 'none'>
  readonly id: number | null
  /** Number of devices. */
  readonly size: number
  /** Role of a device. */
  readonly role: number | null
  /** Key of the frame round a device, as `site:1`. */
  readonly frame: string | null
}

/** All links of a kind between two nodes. */
export interface MapLink {
  readonly a: string
  readonly b: string
  readonly kind: LinkKind
  readonly count: number
  /** The connected ports of `a` and `b`; absent on a map of places. */
  readonly ports?: readonly PortPair[]
}

/** The nodes and links of a map, sorted by their keys. */
export interface MapGraph {
  readonly grouping: Grouping
  /** The kind of place whose devices have a frame. */
  readonly framing: Exclude<Grouping, 'none'> | undefined
  readonly nodes: readonly MapNode[]
  readonly links: readonly MapLink[]
}

/**
 * The graph with the devices of each place as one node: of the smallest kind of place that is few enough, unless
 * `wanted` says otherwise.
 */
export function groupGraph({ devices, links }: DeviceGraph, wanted?: Grouping): MapGraph {
  const grouping = wanted ?? groupingFor(devices)
  const framing = grouping === 'none' ? framingFor(devices) : undefined
  const nodes = new Map<string, MapNode>()
  const keys = new Map<string, string>()
  for (const device of devices) {
    const node = nodeOf(device, grouping, framing)
    const size = (nodes.get(node.key)?.size ?? 0) + 1
    nodes.set(node.key, { ...node, size })
    keys.set(keyOf('device', device.id), node.key)
  }
  const merged = new Map<string, MapLink>()
  for (const { a, b, kind, ports } of links) {
    const [start, end] = [keys.get(a) ?? a, keys.get(b) ?? b]
    const ends = [start, end].toSorted()
    const [first = '', second = ''] = ends
    if (first === second) continue
    for (const key of ends) {
      if (!nodes.has(key))
        nodes.set(key, { key, kind: 'circuit', id: Number(key.split(':')[1]), size: 0, role: null, frame: null })
    }
    const key = `${first} ${second} ${kind}`
    const known = merged.get(key)
    const own = first === start ? ports : ports.map(([from, to]): PortPair => [to, from])
    merged.set(key, {
      ...{ a: first, b: second, kind, count: (known?.count ?? 0) + 1 },
      ...(grouping === 'none' && { ports: [...(known?.ports ?? []), ...own] }),
    })
  }
  const byKey = <T>(map: ReadonlyMap<string, T>): readonly T[] =>
    [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
  return { grouping, framing, nodes: byKey(nodes), links: byKey(merged) }
}

function groupingFor(devices: readonly PlacedDevice[]): Grouping {
  if (devices.length <= MOST_NODES) return 'none'
  const fits = GROUPINGS.find((each) => new Set(devices.map((device) => device[each])).size <= MOST_NODES)
  return fits ?? 'site'
}

/** The largest kind of place of which the devices have several; otherwise their site. */
function framingFor(devices: readonly PlacedDevice[]): Exclude<Grouping, 'none'> {
  const hasSeveral = (kind: Exclude<Grouping, 'none'>): boolean =>
    new Set(devices.map((device) => device[kind])).size > 1
  return GROUPINGS.findLast(hasSeveral) ?? 'site'
}

function nodeOf(device: PlacedDevice, grouping: Grouping, framing: Exclude<Grouping, 'none'> | undefined): MapNode {
  const kind = grouping === 'none' ? 'device' : grouping
  const id = kind === 'device' ? device.id : device[kind]
  const frame = framing && device[framing]
  return {
    ...{ key: `${kind}:${id}`, kind, id, size: 1 },
    role: kind === 'device' ? device.role : null,
    frame: frame ? `${framing}:${frame}` : null,
  }
}
