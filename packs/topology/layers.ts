import type { MapLink, MapNode } from './group-graph.ts'

type LayeredNode = Pick<MapNode, 'key' | 'kind' | 'role' | 'frame'>
type Ends = Pick<MapLink, 'a' | 'b'>

/** Maximum number of boxes of a frame side by side in one layer; of more, some are stacked. */
const MOST_IN_ROW = 8

/** A position in the order of layers: the layer of the role, and the depth among linked devices of that role. */
type Level = readonly [role: number, depth: number]

/**
 * The layer of each linked node, from 0 at the top. Circuits are on top, and devices of the same role share a layer,
 * except if more than two of them are linked in turn, or if they are too many for a row. Roles have no order in the
 * data: they are ordered by the median distance of their devices from the circuits, or, without circuits, from the
 * devices of the role that is farthest from the most frequent role (usually that of the servers).
 */
export function layersOf(nodes: readonly LayeredNode[], links: readonly Ends[]): ReadonlyMap<string, number> {
  const neighbours = neighboursOf(links)
  const linked = nodes.filter(({ key }) => neighbours.has(key))
  const groups = Map.groupBy(linked, ({ kind, role }) => (kind === 'circuit' ? 'circuit' : String(role)))
  const roleLayers = layersOfRoles(groups, neighbours)
  const levels = new Map<string, Level>()
  for (const [role, members] of groups) {
    const depths = depthsWithin(members, neighbours)
    for (const { key } of members) levels.set(key, [roleLayers.get(role) ?? 0, depths.get(key) ?? 0])
  }
  const ordered = [...new Map([...levels.values()].map((level) => [level.join(), level])).values()].toSorted(compare)
  const ranks = new Map(ordered.map((level, index) => [level.join(), index]))
  return new Map([...levels].map(([key, level]) => [key, ranks.get(level.join()) ?? 0]))
}

type Neighbours = ReadonlyMap<string, ReadonlySet<string>>

function neighboursOf(links: readonly Ends[]): Neighbours {
  const neighbours = new Map<string, Set<string>>()
  const add = (key: string, neighbour: string): void => {
    const existing = neighbours.get(key)
    if (existing) existing.add(neighbour)
    else neighbours.set(key, new Set([neighbour]))
  }
  for (const { a, b } of links) {
    add(a, b)
    add(b, a)
  }
  return neighbours
}

const compare = (left: Level, right: Level): number => left[0] - right[0] || left[1] - right[1]

type Groups = ReadonlyMap<string, readonly LayeredNode[]>

/** The layer of each role. Parts of the graph without links between them are ordered separately. */
function layersOfRoles(groups: Groups, neighbours: Neighbours): ReadonlyMap<string, number> {
  const distances = new Map<string, { readonly middle: number; readonly mean: number }>()
  let remaining: Groups = groups
  while (remaining.size > 0) {
    const top = topRole(remaining, neighbours)
    const steps = distancesFrom(remaining.get(top) ?? [], neighbours)
    const reachedByRole = new Map<string, number[]>()
    for (const [role, members] of remaining) {
      const reached = members.flatMap(({ key }) => steps.get(key) ?? []).toSorted((a, b) => a - b)
      if (reached.length > 0) reachedByRole.set(role, reached)
    }
    for (const [role, reached] of reachedByRole) {
      const mean = reached.reduce((sum, step) => sum + step, 0) / reached.length
      distances.set(role, { middle: reached[Math.floor((reached.length - 1) / 2)] ?? 0, mean })
    }
    remaining = new Map([...remaining].filter(([role]) => !reachedByRole.has(role)))
  }
  const order = [...distances].toSorted(
    ([left, a], [right, b]) =>
      a.middle - b.middle ||
      a.mean - b.mean ||
      (groups.get(left)?.length ?? 0) - (groups.get(right)?.length ?? 0) ||
      (left < right ? -1 : 1),
  )
  // Roles at the same distance share a layer unless their devices are linked.
  const layers = new Map<string, number>()
  let layer = -1
  let middle = -1
  let shared: string[] = []
  for (const [role, distance] of order) {
    if (distance.middle !== middle || shared.some((other) => areLinked(groups, neighbours, role, other))) {
      layer += 1
      shared = []
    }
    middle = distance.middle
    shared.push(role)
    layers.set(role, layer)
  }
  return layers
}

/** The role at the top: circuits, or the role that is farthest from the most frequent one. */
function topRole(groups: Groups, neighbours: Neighbours): string {
  if (groups.has('circuit')) return 'circuit'
  const bySize = [...groups].toSorted(([left, a], [right, b]) => b.length - a.length || Number(right) - Number(left))
  const [, most = []] = bySize[0] ?? []
  const steps = distancesFrom(most, neighbours)
  const mean = ([, members]: readonly [string, readonly LayeredNode[]]): number => {
    const reached = members.flatMap(({ key }) => steps.get(key) ?? [])
    return reached.reduce((sum, step) => sum + step, 0) / Math.max(reached.length, 1)
  }
  return bySize.toReversed().toSorted((left, right) => mean(right) - mean(left))[0]?.[0] ?? ''
}

/** Number of links from the nearest of the nodes, for each node that can be reached. */
function distancesFrom(
  nodes: readonly LayeredNode[],
  neighbours: Neighbours,
  isWithin: (key: string) => boolean = () => true,
): ReadonlyMap<string, number> {
  const steps = new Map(nodes.map(({ key }) => [key, 0]))
  // A map yields the entries that are added on the way.
  for (const [key, step] of steps) {
    for (const next of neighbours.get(key) ?? []) {
      if (!steps.has(next) && isWithin(next)) steps.set(next, step + 1)
    }
  }
  return steps
}

const areLinked = (groups: Groups, neighbours: Neighbours, left: string, right: string): boolean => {
  const keys = new Set(groups.get(right)?.map(({ key }) => key))
  return (groups.get(left) ?? []).some(({ key }) => [...(neighbours.get(key) ?? [])].some((next) => keys.has(next)))
}

/**
 * Distance of nodes of one role from the most connected one, for more than two nodes of a frame that are linked in
 * turn; others have 0.
 */
function depthsWithin(members: readonly LayeredNode[], neighbours: Neighbours): ReadonlyMap<string, number> {
  const frames = new Map(members.map(({ key, frame }) => [key, frame]))
  const degree = ({ key, frame }: LayeredNode): number =>
    [...(neighbours.get(key) ?? [])].filter((next) => frames.get(next) === frame).length
  const depths = new Map<string, number>()
  const byDegree = members.toSorted((left, right) => degree(right) - degree(left) || (left.key < right.key ? -1 : 1))
  for (const node of byDegree) {
    if (depths.has(node.key)) continue
    const steps = distancesFrom([node], neighbours, (key) => frames.get(key) === node.frame)
    for (const [key, step] of steps) depths.set(key, steps.size > 2 ? step : 0)
  }
  return depths
}

/**
 * The linked nodes, with those that are stacked as one: if a layer of a frame has too many boxes, those with the same
 * neighbours and the same role, such as the servers of a switch.
 */
export function stacksOf(
  nodes: readonly LayeredNode[],
  links: readonly Ends[],
  layers: ReadonlyMap<string, number>,
): readonly (readonly LayeredNode[])[] {
  const neighbours = neighboursOf(links)
  const linked = nodes.filter(({ key }) => layers.has(key))
  const rows = Map.groupBy(linked, ({ key, frame }) => `${frame} ${layers.get(key)}`)
  return [...rows.values()].flatMap((members): readonly (readonly LayeredNode[])[] => {
    if (members.length <= MOST_IN_ROW) return members.map((node) => [node])
    const alike = Map.groupBy(members, ({ key, role }) => `${role} ${[...(neighbours.get(key) ?? [])].toSorted()}`)
    return [...alike.values()]
  })
}
