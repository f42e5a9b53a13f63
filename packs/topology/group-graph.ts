import { type DeviceGraph, type DeviceLink, keyOf, type PlacedDevice, type PortPair } from './graph.ts'
import type { LinkKind } from './topology-links.ts'

/** Maximum number of devices that are nodes of a map; of more, those of the same place become one node. */
const MOST_DEVICES = 40

/** Places by which devices are grouped, the smallest first. */
export const GROUPINGS = ['rack', 'location', 'site'] as const
export type Grouping = (typeof GROUPINGS)[number] | 'none'

/** A node of a map: a device, a circuit, the devices of a place, or the circuits of a provider. */
export interface MapNode {
  readonly key: string
  /** Model of the object, and its id; null for devices without such a place. */
  readonly kind: 'device' | 'circuit' | 'provider' | Exclude<Grouping, 'none'>
  readonly id: number | null
  /** Number of devices, or of the circuits of a provider. */
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
 * The graph with the devices of each place as one node if they are many: of the largest kind of place of which they
 * have several, unless `requested` says otherwise. A circuit between two places is a link, and circuits that end elsewhere
 * lead to their provider.
 */
export function groupGraph({ devices, links: all }: DeviceGraph, requested?: Grouping): MapGraph {
  const grouping = requested ?? (devices.length <= MOST_DEVICES ? 'none' : (placeOf(devices) ?? 'none'))
  // The frame of a single place is that of its site.
  const framing = grouping === 'none' ? (placeOf(devices) ?? 'site') : undefined
  const nodes = new Map<string, MapNode>()
  const keys = new Map<string, string>()
  for (const device of devices) {
    const node = nodeOf(device, grouping, framing)
    const size = (nodes.get(node.key)?.size ?? 0) + 1
    nodes.set(node.key, { ...node, size })
    keys.set(keyOf('device', device.id), node.key)
  }
  const links = grouping === 'none' ? all : linksOfPlaces(all, keys)
  const merged = new Map<string, MapLink>()
  for (const { a, b, kind, ports } of links) {
    const [start, end] = [keys.get(a) ?? a, keys.get(b) ?? b]
    const ends = [start, end].toSorted()
    const [first = '', second = ''] = ends
    if (first === second) continue
    for (const key of ends) {
      const [kind, id] = key.split(':')
      const node = nodes.get(key)
      if (kind === 'circuit' && !node) nodes.set(key, { key, kind, id: Number(id), size: 0, role: null, frame: null })
      if (kind === 'provider') {
        nodes.set(key, { key, kind, id: Number(id), size: (node?.size ?? 0) + 1, role: null, frame: null })
      }
    }
    const key = `${first} ${second} ${kind}`
    const link = merged.get(key)
    const portPairs = first === start ? ports : ports.map(([from, to]): PortPair => [to, from])
    merged.set(key, {
      ...{ a: first, b: second, kind, count: (link?.count ?? 0) + 1 },
      ...(grouping === 'none' && { ports: [...(link?.ports ?? []), ...portPairs] }),
    })
  }
  const byKey = <T>(map: ReadonlyMap<string, T>): readonly T[] =>
    [...map].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
  return { grouping, framing, nodes: byKey(nodes), links: byKey(merged) }
}

/** The largest kind of place of which the devices have several. */
const placeOf = (devices: readonly PlacedDevice[]): Exclude<Grouping, 'none'> | undefined =>
  GROUPINGS.findLast((kind) => new Set(devices.map((device) => device[kind])).size > 1)

/** Links in which a circuit between two places is one link, and a circuit that ends elsewhere is its provider. */
function linksOfPlaces(links: readonly DeviceLink[], places: ReadonlyMap<string, string>): readonly DeviceLink[] {
  const byCircuit = Map.groupBy(links, ({ b }) => (b.startsWith('circuit:') ? b : ''))
  const direct = byCircuit.get('') ?? []
  byCircuit.delete('')
  const joined = [...byCircuit.values()].flatMap((ends): readonly DeviceLink[] => {
    const [first, ...others] = [...new Map(ends.map((end) => [places.get(end.a), end])).values()]
    if (!first) return []
    const isWithin = ends.length > 1 && others.length === 0
    if (isWithin) return []
    if (others.length > 0) return others.map(({ a }) => ({ ...first, b: a }))
    return [first.provider === undefined ? first : { ...first, b: `provider:${first.provider}` }]
  })
  return [...direct, ...joined]
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
