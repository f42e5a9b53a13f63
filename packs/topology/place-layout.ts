import type { LaidOutGraph, Point } from './layout.ts'
import { crosses } from './lines.ts'

/** Distance between the middles of neighbouring boxes, in pixels. */
const CELL: Point = [200, 96]
/** Steps of the simulation for few boxes, and the number of pairs of boxes that it may visit in all. */
const MOST_STEPS = 250
const MOST_PAIRS = 4_000_000
/** How much farther, in squared cells, a box of a small part moves so that no line passes behind another box. */
const COST_OF_CROSSING = 12
const MOST_AVOIDED = 100

type Ends = LaidOutGraph['links'][number]

/**
 * Positions of linked places on a grid: places with links are near each other, and the most connected ones are in the
 * middle. Parts without links between them are beside one another. `below`: pixels for what is drawn below them. The
 * same graph has the same layout.
 */
export function placeOnGrid(
  keys: readonly string[],
  links: readonly Ends[],
  below: number,
): ReadonlyMap<string, Point> {
  const neighbours = new Map(keys.map((key) => [key, new Set<string>()]))
  for (const { a, b } of links) {
    neighbours.get(a)?.add(b)
    neighbours.get(b)?.add(a)
  }
  const parts = partsOf(neighbours).map((part) => cellsOf(part, neighbours, links))
  return new Map(sideBySide(parts, below).map(([key, cell]) => [key, inPixels(cell)]))
}

type Neighbours = ReadonlyMap<string, ReadonlySet<string>>
type Cells = readonly (readonly [string, Point])[]

/** The keys of each part without links to the others, the largest first. */
function partsOf(neighbours: Neighbours): readonly (readonly string[])[] {
  const seen = new Set<string>()
  const parts = [...neighbours.keys()].map((start) => {
    if (seen.has(start)) return []
    // A set yields the entries that are added on the way.
    const part = new Set([start])
    for (const key of part) for (const next of neighbours.get(key) ?? []) part.add(next)
    for (const key of part) seen.add(key)
    return [...part]
  })
  return parts.filter(({ length }) => length > 0).toSorted((left, right) => right.length - left.length)
}

/** The cells of one part. */
function cellsOf(keys: readonly string[], neighbours: Neighbours, links: readonly Ends[]): Cells {
  const degree = (key: string): number => neighbours.get(key)?.size ?? 0
  const ordered = keys.toSorted((left, right) => degree(right) - degree(left) || (left < right ? -1 : 1))
  const places = relaxed(ordered, links)
  const reach = Math.ceil(Math.sqrt(keys.length)) + 1
  const cells = new Map<string, Point>()
  for (const key of ordered) {
    const isSmall = keys.length <= MOST_AVOIDED
    const ends = [...cells].filter(([next]) => isSmall && neighbours.get(key)?.has(next)).map(([, cell]) => cell)
    cells.set(key, freeCell(places.get(key) ?? [0, 0], { taken: [...cells.values()], ends, reach }))
  }
  return [...cells]
}

/** Width of a map by its height. */
const ASPECT = 1.95

/** The cells of all parts, from left to right in rows that are as wide as the whole looks largest. */
function sideBySide(parts: readonly Cells[], below: number): Cells {
  const areas = parts.map((part) => {
    const range = (at: 0 | 1): readonly [number, number] => {
      const values = part.map(([, cell]) => cell[at])
      return [Math.min(...values), Math.max(...values) - Math.min(...values) + 1]
    }
    const [[left, width], [top, height]] = [range(0), range(1)]
    return { part, left, top, width, height }
  })
  const inRows = (most: number): { readonly size: number; readonly cells: Cells } => {
    let [x, y, row, right] = [0, 0, 0, 0]
    const cells = areas.flatMap(({ part, left, top, width, height }) => {
      if (x > 0 && x + width > most) [x, y, row] = [0, y + row + 1, 0]
      const [dx, dy] = [x - left, y - top]
      x += width + 1
      row = Math.max(row, height)
      right = Math.max(right, x - 1)
      return part.map(([key, [column, line]]) => [key, [column + dx, line + dy]] as const)
    })
    return { cells, size: Math.max((right * CELL[0]) / ASPECT, (y + row) * CELL[1] + below) }
  }
  const widths = areas.map(({ width }, index) =>
    areas.slice(0, index).reduce((sum, area) => sum + area.width + 1, width),
  )
  const tried = widths.map((width) => inRows(Math.max(width, ...areas.map((area) => area.width))))
  return tried.toSorted((left, right) => left.size - right.size)[0]?.cells ?? []
}

const inPixels = ([x, y]: Point): Point => [x * CELL[0], y * CELL[1]]

/**
 * Positions, in cells, at which links pull the boxes together and boxes push each other apart (Fruchterman and
 * Reingold).
 */
function relaxed(keys: readonly string[], links: readonly Ends[]): ReadonlyMap<string, Point> {
  const radius = Math.sqrt(keys.length)
  // A spiral: the first ones are in the middle.
  const places = keys.map((_, index): [number, number] => {
    const turn = index * 2.399963
    const distance = radius * Math.sqrt(index / keys.length)
    return [distance * Math.cos(turn), distance * Math.sin(turn)]
  })
  const indexes = new Map(keys.map((key, index) => [key, index]))
  const pairs = links.flatMap(({ a, b }): readonly (readonly [number, number])[] => {
    const [left, right] = [indexes.get(a), indexes.get(b)]
    return left === undefined || right === undefined ? [] : [[left, right]]
  })
  const steps = Math.min(MOST_STEPS, Math.ceil(MOST_PAIRS / keys.length ** 2))
  for (let step = 0; step < steps; step++) {
    const moves = places.map(([x, y]): [number, number] => [-x * 0.1, -y * 0.1])
    const push = (left: number, right: number, force: (distance: number) => number): void => {
      const [[x1, y1] = [0, 0], [x2, y2] = [0, 0]] = [places[left], places[right]]
      const [dx, dy] = [x1 - x2, y1 - y2]
      const distance = Math.max(Math.hypot(dx, dy), 0.01)
      const share = force(distance) / distance
      const [first, second] = [moves[left], moves[right]]
      if (!first || !second) return
      first[0] += dx * share
      first[1] += dy * share
      second[0] -= dx * share
      second[1] -= dy * share
    }
    for (let first = 0; first < keys.length; first++) {
      for (let second = first + 1; second < keys.length; second++) push(first, second, (distance) => 1 / distance)
    }
    for (const [left, right] of pairs) push(left, right, (distance) => -(distance ** 2))
    const longest = radius * 0.2 * (1 - step / steps)
    for (const [index, [dx, dy]] of moves.entries()) {
      const length = Math.max(Math.hypot(dx, dy), 0.001)
      const place = places[index]
      if (!place) continue
      place[0] += (dx / length) * Math.min(length, longest)
      place[1] += (dy / length) * Math.min(length, longest)
    }
  }
  const spread = (at: 0 | 1): number => Math.max(...places.map((place) => Math.abs(place[at])), 0.5) * 2
  const scale = Math.min(1, Math.sqrt((keys.length * ROOM) / (spread(0) * spread(1))))
  return new Map(
    keys.map((key, index) => {
      const [x, y] = places[index] ?? [0, 0]
      return [key, [x * scale, y * scale]]
    }),
  )
}

/** Cells for each box, including those that stay empty. */
const ROOM = 1.7

interface Grid {
  /** The cells with boxes. */
  readonly taken: readonly Point[]
  /** Those to which the next box is linked. */
  readonly ends: readonly Point[]
  /** Cells that are tried in each direction. */
  readonly reach: number
}

/** The free cell that is nearest to a place, if the lines to it do not pass behind other boxes. */
function freeCell([x, y]: Point, { taken, ends, reach }: Grid): Point {
  const occupied = new Set(taken.map((cell) => cell.join()))
  const boxes = taken.map((cell) => [cell, inPixels(cell)] as const)
  let best: Point = [Math.round(x), Math.round(y)]
  let least = Number.POSITIVE_INFINITY
  for (let dx = -reach; dx <= reach; dx++) {
    for (let dy = -reach; dy <= reach; dy++) {
      const cell: Point = [Math.round(x) + dx, Math.round(y) + dy]
      const far = (cell[0] - x) ** 2 + (cell[1] - y) ** 2
      if (far >= least || occupied.has(cell.join())) continue
      const crossings = ends.reduce(
        (sum, end) =>
          sum + boxes.filter(([box, middle]) => box !== end && crosses(inPixels(cell), inPixels(end), middle)).length,
        0,
      )
      const cost = far + crossings * COST_OF_CROSSING
      if (cost >= least) continue
      least = cost
      best = cell
    }
  }
  return best
}
