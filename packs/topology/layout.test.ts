import { describe, expect, it } from 'vitest'
import { frameAround } from './frame-area.client.ts'
import { computeLayout, type LaidOutGraph, type Layout, type Point } from './layout.ts'
import { BOX_HEIGHT, BOX_WIDTH } from './topology-map.ts'

const ROLES = { server: 1, access: 2, core: 3, distribution: 4 } as const

/** Sites of two core switches, two distribution switches, and these numbers of access switches and of servers of each. */
function campus(sites: number, accesses: number, servers: number): LaidOutGraph {
  const nodes: LaidOutGraph['nodes'][number][] = []
  const links: LaidOutGraph['links'][number][] = []
  const add = (role: keyof typeof ROLES, site: number): string => {
    const key = `device:${nodes.length + 1}`
    nodes.push({ key, kind: 'device', role: ROLES[role], frame: `site:${site}` })
    return key
  }
  let last: string | undefined
  for (let site = 1; site <= sites; site += 1) {
    const [one, two] = [add('core', site), add('core', site)]
    links.push({ a: one, b: two })
    if (last) links.push({ a: last, b: one })
    last = two
    const distribution = [add('distribution', site), add('distribution', site)]
    for (const b of distribution) links.push({ a: one, b }, { a: two, b })
    for (let access = 0; access < accesses; access += 1) {
      const a = add('access', site)
      for (const b of distribution) links.push({ a: b, b: a })
      for (let server = 0; server < servers; server += 1) links.push({ a, b: add('server', site) })
    }
  }
  return { nodes, links }
}

/** Devices of one role, with the ends of the links of each, by its number. */
function alike(count: number, ends: (at: number) => readonly number[]): LaidOutGraph {
  const numbers = Array.from({ length: count }, (_, index) => index)
  return {
    nodes: numbers.map((number) => ({ key: `device:${number}`, kind: 'device', role: 1, frame: null })),
    links: numbers.flatMap((number) => ends(number).map((end) => ({ a: `device:${number}`, b: `device:${end}` }))),
  }
}

/** Devices of three roles in five places, with links that follow neither: dagre throws for them. */
function tangled(): LaidOutGraph {
  const numbers = Array.from({ length: 24 }, (_, index) => index)
  return {
    nodes: numbers.map((at) => ({
      ...{ key: `device:${at}`, kind: 'device', role: at % 3, frame: `site:${Math.floor((at * 7) / 3) % 5}` },
    })),
    links: numbers
      .flatMap((at) => [7, 31, 53].map((step) => [at, (at * step + step) % 24]))
      .filter(([a, b]) => a !== b)
      .map(([a, b]) => ({ a: `device:${a}`, b: `device:${b}` })),
  }
}

const circuits: LaidOutGraph = {
  nodes: [
    { key: 'circuit:1', kind: 'circuit', role: null, frame: null },
    { key: 'device:1', kind: 'device', role: 1, frame: 'site:1' },
    { key: 'device:2', kind: 'device', role: 2, frame: 'site:2' },
    { key: 'device:3', kind: 'device', role: 1, frame: 'site:2' },
  ],
  links: [
    { a: 'circuit:1', b: 'device:1' },
    { a: 'circuit:1', b: 'device:3' },
    { a: 'device:2', b: 'device:3' },
  ],
}

const graphs: readonly (readonly [string, LaidOutGraph])[] = [
  ['devices without links', alike(30, () => [])],
  ['a chain', alike(100, (at) => (at > 0 ? [at - 1] : []))],
  ['devices with links to the same two switches', alike(100, (at) => [0, 1].filter((end) => end < at))],
  [
    'each device with links to six others',
    alike(60, (at) => [7, 11, 13, 17, 19, 23].map((step) => (at * step + step) % 60)),
  ],
  ['circuits', circuits],
  ['a site', campus(1, 3, 2)],
  ['two sites with many servers', campus(2, 5, 4)],
  ['links across many frames', tangled()],
  ['more boxes than dagre places', campus(12, 5, 5)],
]

const pointOf = ({ nodes }: Layout, key: string): Point => {
  const point = nodes.get(key)
  if (!point) throw new Error(`${key} has no position`)
  return point
}

describe.each(graphs)('the layout of %s', (_name, graph) => {
  it('has a position for each node, and no boxes overlap', async () => {
    const points = [...(await computeLayout(graph)).nodes.values()]
    expect(points).toHaveLength(graph.nodes.length)
    const overlapping = points.flatMap(([x, y], index) =>
      points.slice(index + 1).filter(([left, top]) => Math.abs(left - x) < BOX_WIDTH && Math.abs(top - y) < BOX_HEIGHT),
    )
    expect(overlapping).toEqual([])
  })

  it('is the same each time', async () => {
    expect(await computeLayout(graph)).toEqual(await computeLayout(graph))
  })

  it('has frames that contain their devices and no others', async () => {
    const layout = await computeLayout(graph)
    const aside = new Set(layout.aside)
    const framed = graph.nodes.filter(({ key, frame }) => frame !== null && !aside.has(key))
    for (const [frame, members] of Map.groupBy(framed, (node) => node.frame)) {
      const { middle, half } = frameAround(members.map(({ key }) => pointOf(layout, key)))
      const inside = graph.nodes.filter(({ key }) => {
        const [x, y] = pointOf(layout, key)
        return Math.abs(x - middle[0]) < half[0] + BOX_WIDTH / 2 && Math.abs(y - middle[1]) < half[1] + BOX_HEIGHT / 2
      })
      expect(inside.map(({ key }) => key).toSorted(), `${frame}`).toEqual(members.map(({ key }) => key).toSorted())
    }
  })
})

describe('the layers of a map', () => {
  it.each([
    ['a site', campus(1, 3, 2)],
    ['two sites', campus(2, 3, 2)],
  ])('have the devices of a role each, from the core to the servers: %s', async (_name, graph) => {
    const layout = await computeLayout(graph)
    const heights = (['core', 'distribution', 'access', 'server'] as const).map((role) => [
      ...new Set(graph.nodes.filter((node) => node.role === ROLES[role]).map(({ key }) => pointOf(layout, key)[1])),
    ])
    expect(heights.map(({ length }) => length)).toEqual([1, 1, 1, 1])
    expect(heights.flat()).toEqual(heights.flat().toSorted((a, b) => a - b))
  })

  it('have circuits at the top', async () => {
    const layout = await computeLayout(circuits)
    const heights = circuits.nodes.map(({ key }) => pointOf(layout, key)[1])
    expect(heights[0]).toBeLessThan(Math.min(...heights.slice(1)))
    // The routers are of the same role.
    expect(heights[1]).toBe(heights[3])
  })

  it('are apart from the devices without links', async () => {
    const { nodes, links } = campus(1, 3, 2)
    const single = { key: 'device:99', kind: 'device', role: ROLES.core, frame: 'site:1' } as const
    const layout = await computeLayout({ nodes: [...nodes, single], links })
    expect(layout.aside).toEqual(['device:99'])
    const lowest = Math.max(...nodes.map(({ key }) => pointOf(layout, key)[1]))
    expect(pointOf(layout, 'device:99')[1]).toBeGreaterThan(lowest + BOX_HEIGHT)
  })
})
