import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Simulation, SimulationLinkDatum, SimulationNodeDatum } from 'd3-force'
import type { Service } from '../../service.ts'
import type { MapGraph } from './group-graph.ts'
import { BOX_HEIGHT, BOX_WIDTH } from './topology-map.ts'

/** Position of the middle of a node, in pixels. */
export type Point = readonly [x: number, y: number]

/** Steps of the simulation, and how many of them run before other requests have their turn. */
const STEPS = 90
const STEPS_AT_ONCE = 10
/** Rounds after which boxes stay where they are, even if some of them overlap. */
const MOST_ROUNDS = 200
/** Share of their speed that the nodes lose per step: after the last step they hardly move. */
const COOLING = 1 - 0.004 ** (1 / STEPS)

/** Distances in pixels. Boxes are wider than high, so the layout is stretched. */
const DISTANCE = 110
const STRETCH = 2.1
/** Space between two boxes: below one another, the names of two ports fit in between. */
const GAP = { x: 36, y: 48 }
const ROW_HEIGHT = 84
const COLUMN_WIDTH = 200

interface Body extends SimulationNodeDatum {
  readonly key: string
}

/**
 * Positions of the nodes by key. Computed once for each graph, in small steps, so that other requests are not delayed.
 */
export async function layoutOf(service: Service, graph: MapGraph): Promise<ReadonlyMap<string, Point>> {
  const { nodes, links } = graph
  const content = JSON.stringify([nodes.map(({ key }) => key), links.map(({ a, b }) => [a, b])])
  const key = `topology ${createHash('sha256').update(content).digest('base64url')}`
  return await service.cache.get(key, () => computeLayout(graph), { bytes: nodes.length * 100 })
}

/** The keys of nodes, and the links between them. */
interface LinkedNodes {
  readonly nodes: readonly { readonly key: string }[]
  readonly links: readonly { readonly a: string; readonly b: string }[]
}

/** Positions of the nodes by key. No boxes overlap, unless there are many hundreds. */
export async function computeLayout({ nodes, links }: LinkedNodes): Promise<ReadonlyMap<string, Point>> {
  const linked = new Set(links.flatMap(({ a, b }) => [a, b]))
  const bodies = nodes.filter(({ key }) => linked.has(key)).map(({ key }): Body => ({ key }))
  const single = nodes.filter(({ key }) => !linked.has(key))
  await simulate(
    bodies,
    links.map(({ a, b }) => ({ source: a, target: b })),
  )
  const boxes = bodies.map(({ key, x = 0, y = 0 }) => ({ key, x: x * STRETCH, y }))
  await separate(boxes)
  const placed = new Map<string, Point>(boxes.map(({ key, x, y }) => [key, [Math.round(x), Math.round(y)]]))
  return new Map([
    ...placed,
    ...inRows(
      single.map(({ key }) => key),
      [...placed.values()],
    ),
  ])
}

async function simulate(bodies: Body[], links: SimulationLinkDatum<Body>[]): Promise<void> {
  if (bodies.length === 0) return
  // Only this page needs it.
  const { forceLink, forceManyBody, forceSimulation, forceX, forceY } = await import('d3-force')
  const simulation: Simulation<Body, SimulationLinkDatum<Body>> = forceSimulation(bodies)
    .force(
      'link',
      forceLink<Body, SimulationLinkDatum<Body>>(links)
        .id(({ key }) => key)
        .distance(DISTANCE),
    )
    .force('charge', forceManyBody().strength(-420).distanceMax(900).theta(1.1))
    .force('x', forceX(0).strength(0.06))
    .force('y', forceY(0).strength(0.09))
    .alphaDecay(COOLING)
    .stop()
  for (let step = 0; step < STEPS; step += STEPS_AT_ONCE) {
    simulation.tick(STEPS_AT_ONCE)
    await setImmediate()
  }
}

/** Moves boxes until none overlap. */
async function separate(boxes: readonly MovableBox[]): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (!separateOverlapping(boxes, BOX_WIDTH + GAP.x, BOX_HEIGHT + GAP.y)) return
    if (round % STEPS_AT_ONCE === 0) await setImmediate()
  }
}

/** Nodes without links: in rows below the others. */
function inRows(keys: readonly string[], above: readonly Point[]): readonly (readonly [string, Point])[] {
  const top = above.length === 0 ? 0 : Math.max(...above.map(([, y]) => y)) + ROW_HEIGHT * 1.6
  const left = above.length === 0 ? 0 : Math.min(...above.map(([x]) => x))
  const right = above.length === 0 ? 0 : Math.max(...above.map(([x]) => x))
  const columns = Math.max(Math.floor((right - left) / COLUMN_WIDTH) + 1, Math.ceil(Math.sqrt(keys.length)), 1)
  return keys.map((key, index) => [
    key,
    [left + (index % columns) * COLUMN_WIDTH, top + Math.floor(index / columns) * ROW_HEIGHT],
  ])
}

/** The middle of a box; moved in place. */
interface MovableBox {
  x: number
  y: number
}

/**
 * Moves apart each pair of overlapping boxes of equal size: both by half of the overlap, along the axis with the
 * smaller overlap in proportion to the size. False if no boxes overlap. Moved boxes may overlap other boxes: repeat it.
 */
function separateOverlapping(boxes: readonly MovableBox[], width: number, height: number): boolean {
  const cellOf = ({ x, y }: MovableBox) => ({
    column: Math.floor(x / width),
    row: Math.floor(y / height),
  })
  const cells = Map.groupBy(boxes, (box) => keyOf(cellOf(box)))
  let hasMoved = false
  for (const box of boxes) {
    const { column, row } = cellOf(box)
    for (const [right, down] of NEIGHBOURS) {
      for (const other of cells.get(keyOf({ column: column + right, row: row + down })) ?? []) {
        if (other !== box) hasMoved = separatePair(box, other, width, height) || hasMoved
      }
    }
  }
  return hasMoved
}

/** Cells whose boxes may overlap one in the middle cell. */
const NEIGHBOURS = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const))

const keyOf = ({ column, row }: { column: number; row: number }): number => column * 1e6 + row

/** Share of the overlap by which each of two boxes is moved. */
const SHARE = 0.6

function separatePair(a: MovableBox, b: MovableBox, width: number, height: number): boolean {
  const missing = { x: width - Math.abs(b.x - a.x), y: height - Math.abs(b.y - a.y) }
  if (missing.x <= 0 || missing.y <= 0) return false
  const axis = missing.x / width < missing.y / height ? 'x' : 'y'
  // More than half, so that fewer rounds are needed.
  const half = missing[axis] * SHARE + 1
  const direction = b[axis] < a[axis] ? -1 : 1
  a[axis] -= half * direction
  b[axis] += half * direction
  return true
}
