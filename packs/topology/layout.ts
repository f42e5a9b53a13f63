import { createHash } from 'node:crypto'
import type { Service } from 'cadastre'
import type { MapGraph } from './group-graph.ts'
import { layersOf, stacksOf } from './layers.ts'
import { crosses } from './lines.ts'
import { placeOnGrid } from './place-layout.ts'
import { BOX_HEIGHT, BOX_WIDTH } from './topology-map.ts'

/** Position in pixels; of a node, its middle. */
export type Point = readonly [x: number, y: number]

/** Positions of nodes, and the bends of links. */
export interface Layout {
  readonly nodes: ReadonlyMap<string, Point>
  /** Points between the ends of a link, by its index; absent for a straight link. */
  readonly bends: ReadonlyMap<number, readonly Point[]>
  /** The nodes without links, which are apart from the others. */
  readonly aside: readonly string[]
}

/** Space between boxes of a layer, and between layers: the names of the ports at both ends fit in between. */
const GAP = { x: 44, y: 110 }
/** Space beside the lines of links that pass a layer. */
const LINE_GAP = 24
/** Distance of a bend from the box that it avoids. */
const CLEAR = 24
/** Distances between nodes without links, and from the others. */
const ROW_HEIGHT = 70
const COLUMN_WIDTH = 190
const ASIDE = 130
const MOST_COLUMNS = 8

/** The layout of the graph, computed once for each. */
export async function layoutOf(service: Service, graph: LaidOutGraph): Promise<Layout> {
  const { nodes, links } = graph
  const content = JSON.stringify([
    nodes.map(({ key, role, frame }) => [key, role, frame]),
    links.map(({ a, b }) => [a, b]),
  ])
  const key = `topology ${createHash('sha256').update(content).digest('base64url')}`
  return await service.cache.get(key, () => computeLayout(graph), { bytes: nodes.length * 100 + links.length * 50 })
}

/** What the layout of a graph depends on. */
export interface LaidOutGraph {
  readonly nodes: readonly Pick<MapGraph['nodes'][number], 'key' | 'kind' | 'role' | 'frame'>[]
  readonly links: readonly Pick<MapGraph['links'][number], 'a' | 'b'>[]
}

/**
 * Layers of boxes from top to bottom, the devices of a frame side by side; a map of places is a grid. The same graph
 * has the same layout.
 */
export async function computeLayout({ nodes, links }: LaidOutGraph): Promise<Layout> {
  const layers = layersOf(nodes, links)
  const linked = nodes.filter(({ key }) => layers.has(key))
  const aside = nodes.filter(({ key }) => !layers.has(key)).map(({ key }) => key)
  const stacks = stacksOf(nodes, links, layers)
  const isOfPlaces = nodes.every(({ kind }) => kind !== 'device')
  const { placed, bends } = isOfPlaces
    ? {
        placed: placeOnGrid(
          linked.map(({ key }) => key),
          links,
          aside.length > 0 ? ASIDE : 0,
        ),
        bends: new Map<number, readonly Point[]>(),
      }
    : linked.length > MOST_ROUTED.boxes || links.length > MOST_ROUTED.links
      ? placeSimply(stacks, layers)
      : await placeLayers({ nodes: linked, links }, layers, stacks)
  return { nodes: new Map([...placed, ...inRows(aside, [...placed.values()])]), bends, aside }
}

interface Placed {
  readonly placed: ReadonlyMap<string, Point>
  readonly bends: ReadonlyMap<number, readonly Point[]>
}

type Stack = ReturnType<typeof stacksOf>[number]

async function placeLayers(
  { nodes, links }: LaidOutGraph,
  layers: ReadonlyMap<string, number>,
  stacks: readonly Stack[],
): Promise<Placed> {
  if (nodes.length === 0) return { placed: new Map(), bends: new Map() }
  // Only this page needs it.
  const { Graph, layout } = await import('@dagrejs/dagre')
  const graph = new Graph<LayeredGraph, Box, Line>({ compound: true })
  const ranker = (ranked: RankedGraph): void => rankBy(ranked, layers)
  graph.setGraph({ nodesep: GAP.x, edgesep: LINE_GAP, ranksep: GAP.y, rankalign: 'top', ranker })
  /** The first node of a stack, by each of its nodes. */
  const heads = new Map<string, string>()
  for (const stack of stacks) {
    const [first] = stack
    if (!first) continue
    for (const { key } of stack) heads.set(key, first.key)
    graph.setNode(first.key, stackSize(stack.length))
    if (first.frame === null) continue
    if (!graph.hasNode(first.frame)) graph.setNode(first.frame, { width: 0, height: 0 })
    graph.setParent(first.key, first.frame)
  }
  /** The ends of a link, as dagre knows them: the upper one first. */
  const endsOf = ({ a, b }: LaidOutGraph['links'][number]): readonly [string, string] => {
    const [left, right] = [heads.get(a) ?? a, heads.get(b) ?? b]
    return layerOf(left) < layerOf(right) ? [left, right] : [right, left]
  }
  const layerOf = (key: string): number => layers.get(key) ?? 0
  for (const link of links) {
    const [upper, lower] = endsOf(link)
    // A layer has its boxes beside one another: dagre knows no links within it.
    if (layerOf(upper) < layerOf(lower)) graph.setEdge(upper, lower, { minlen: layerOf(lower) - layerOf(upper) })
  }
  try {
    layout(graph)
  } catch {
    // dagre 3.1 finds no position for some nodes if many links cross many frames.
    return placeSimply(stacks, layers)
  }
  const placed = new Map(stacks.flatMap((stack) => placeStack(stack, graph.node(stack[0]?.key ?? ''))))
  const bends = links.flatMap((link, index): readonly [number, readonly Point[]][] => {
    const [from, to] = [placed.get(link.a), placed.get(link.b)]
    if (!from || !to || !passesBox(from, to, placed)) return []
    const [upper, lower] = endsOf(link)
    if (layerOf(upper) === layerOf(lower)) return [[index, below(from, to)]]
    const isDown = upper === heads.get(link.a)
    // Between layers that follow one another there is nothing to pass.
    const isLong = layerOf(lower) - layerOf(upper) > 1
    const lines: readonly DagrePoint[] = (isLong && graph.edge(upper, lower).points) || []
    const down = lines.slice(1, -1).map(({ x, y }): Point => [Math.round(x), Math.round(y)])
    const [top, bottom] = isDown ? [from, to] : [to, from]
    const points = [...besideStack(top, graph.node(upper), 1), ...down, ...besideStack(bottom, graph.node(lower), -1)]
    return [[index, isDown ? points : points.toReversed()]]
  })
  return { placed, bends: new Map(bends) }
}

/**
 * Maximum numbers of linked boxes and of links that dagre places: for more it takes long, and nothing else runs
 * meanwhile.
 */
const MOST_ROUTED = { boxes: 150, links: 250 }

/** The frames side by side, each with its layers as rows in the order of the keys, and straight links. */
function placeSimply(stacks: readonly Stack[], layers: ReadonlyMap<string, number>): Placed {
  const layerOf = (stack: Stack): number => layers.get(stack[0]?.key ?? '') ?? 0
  const heights = new Map<number, number>()
  for (const stack of stacks) {
    heights.set(layerOf(stack), Math.max(heights.get(layerOf(stack)) ?? 0, stackSize(stack.length).height))
  }
  const tops = new Map<number, number>()
  let top = 0
  for (const [layer, height] of [...heights].toSorted(([left], [right]) => left - right)) {
    tops.set(layer, top)
    top += height + GAP.y
  }
  const placed = new Map<string, Point>()
  let left = 0
  for (const inFrame of Map.groupBy(stacks, ([first]) => first?.frame ?? null).values()) {
    const ends = new Map<number, number>()
    for (const stack of inFrame) {
      const size = stackSize(stack.length)
      const x = ends.get(layerOf(stack)) ?? left
      ends.set(layerOf(stack), x + size.width + GAP.x)
      const y = (tops.get(layerOf(stack)) ?? 0) + size.height / 2
      for (const [key, point] of placeStack(stack, { ...size, x: x + size.width / 2, y })) placed.set(key, point)
    }
    left = Math.max(...ends.values()) + GAP.x
  }
  return { placed, bends: new Map() }
}

/** Most boxes of a stack below one another. */
const MOST_STACKED = 5
/** Space between the boxes of a stack. */
const STACK_GAP = 14

function stackSize(count: number): Box {
  const columns = Math.ceil(count / MOST_STACKED)
  const rows = Math.ceil(count / columns)
  return {
    width: columns * (BOX_WIDTH + GAP.x) - GAP.x,
    height: rows * (BOX_HEIGHT + STACK_GAP) - STACK_GAP,
  }
}

/** The boxes of a stack, row by row, in the area that dagre has given it. */
function placeStack(
  stack: readonly { readonly key: string }[],
  { x = 0, y = 0, width, height }: Box,
): [string, Point][] {
  const columns = Math.ceil(stack.length / MOST_STACKED)
  return stack.map(({ key }, index) => [
    key,
    [
      Math.round(x - width / 2 + BOX_WIDTH / 2 + (index % columns) * (BOX_WIDTH + GAP.x)),
      Math.round(y - height / 2 + BOX_HEIGHT / 2 + Math.floor(index / columns) * (BOX_HEIGHT + STACK_GAP)),
    ],
  ])
}

/** The bends of a line from the upper (-1) or lower (1) edge of a stack to one of its boxes: along its left side. */
function besideStack([x, y]: Point, { y: middle = 0, height }: Box, edge: 1 | -1): readonly Point[] {
  if (height <= BOX_HEIGHT) return []
  const lane = x - BOX_WIDTH / 2 - GAP.x / 2
  const points: readonly Point[] = [
    [lane, Math.round(middle + (edge * height) / 2)],
    [lane, y],
  ]
  return edge === -1 ? points : points.toReversed()
}

interface LayeredGraph {
  readonly nodesep: number
  readonly edgesep: number
  readonly ranksep: number
  readonly rankalign: 'top'
  readonly ranker: (graph: RankedGraph) => void
}

interface Box {
  readonly width: number
  readonly height: number
  readonly x?: number
  readonly y?: number
}

interface DagrePoint {
  readonly x: number
  readonly y: number
}

interface Line {
  readonly minlen: number
  readonly points?: readonly DagrePoint[]
}

/** The graph that dagre asks to rank, with nodes of its own at the top and at the bottom of each frame. */
interface RankedGraph {
  readonly graph: () => { readonly nodeRankFactor?: number }
  readonly nodes: () => string[]
  readonly node: (key: string) => { rank?: number }
  readonly successors: (key: string) => string[] | undefined
  readonly predecessors: (key: string) => string[] | undefined
}

/**
 * Ranks nodes by their layers. Half of the ranks between two layers are those of the borders of frames: dagre has
 * multiplied the lengths of links by two, and by `nodeRankFactor`.
 */
function rankBy(graph: RankedGraph, layers: ReadonlyMap<string, number>): void {
  const factor = graph.graph().nodeRankFactor ?? 1
  const rankOf = (key: string): number | undefined => {
    const layer = layers.get(key)
    return layer === undefined ? undefined : layer * 2 * factor
  }
  for (const key of graph.nodes()) {
    const rank = rankOf(key)
    const node = graph.node(key)
    const below = (graph.successors(key) ?? []).flatMap((next) => rankOf(next) ?? [])
    const above = (graph.predecessors(key) ?? []).flatMap((next) => rankOf(next) ?? [])
    if (rank !== undefined) node.rank = rank
    else if (below.length > 0 && (graph.predecessors(key) ?? []).length > 0) node.rank = Math.min(...below) - factor
    else if (above.length > 0) node.rank = Math.max(...above) + factor
    else node.rank = -2 * factor
  }
}

/** A straight line between the middles of two boxes would pass behind another box. */
const passesBox = (from: Point, to: Point, boxes: ReadonlyMap<string, Point>): boolean =>
  [...boxes.values()].some((box) => box !== from && box !== to && crosses(from, to, box))

/** The bends of a link below the boxes of its layer. */
function below([x1, y1]: Point, [x2, y2]: Point): readonly Point[] {
  const y = Math.max(y1, y2) + BOX_HEIGHT / 2 + CLEAR
  const inwards = Math.sign(x2 - x1) * (BOX_WIDTH / 2 + GAP.x / 4)
  return [
    [x1 + inwards, y],
    [x2 - inwards, y],
  ]
}

/** Nodes without links: in rows below the others. */
function inRows(keys: readonly string[], above: readonly Point[]): readonly (readonly [string, Point])[] {
  const top = above.length === 0 ? 0 : Math.max(...above.map(([, y]) => y)) + ASIDE
  const left = above.length === 0 ? 0 : Math.min(...above.map(([x]) => x))
  const right = above.length === 0 ? 0 : Math.max(...above.map(([x]) => x))
  const columns = Math.max(Math.floor((right - left) / COLUMN_WIDTH) + 1, Math.min(keys.length, MOST_COLUMNS))
  return keys.map((key, index) => [
    key,
    [left + (index % columns) * COLUMN_WIDTH, top + Math.floor(index / columns) * ROW_HEIGHT],
  ])
}
