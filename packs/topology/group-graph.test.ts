import { describe, expect, it } from 'vitest'
import type { DeviceGraph, DeviceLink } from './graph.ts'
import { groupGraph } from './group-graph.ts'

/** Devices of this many racks and sites in turn, ten racks in each location, with a cable from each to the next. */
function graphOf(count: number, racks: number, sites = 1): DeviceGraph {
  const devices = Array.from({ length: count }, (_, index) => {
    const rack = index % racks
    return { id: index + 1, site: (index % sites) + 1, location: Math.floor(rack / 10), rack, role: 1 }
  })
  const links = devices
    .slice(1)
    .map(({ id }): DeviceLink => ({ kind: 'network', a: `device:${id - 1}`, b: `device:${id}`, ports: [] }))
  return { devices, links, isCut: false }
}

describe('the devices of a map', () => {
  it.each([
    ['are shown individually while they are few', { count: 40, racks: 20, sites: 1 }, 'none', 40],
    ['are grouped by site', { count: 41, racks: 20, sites: 3 }, 'site', 3],
    ['are grouped by location within a site', { count: 2000, racks: 50, sites: 1 }, 'location', 5],
    ['are grouped by rack within a location', { count: 50, racks: 5, sites: 1 }, 'rack', 5],
    ['are shown individually if they share a place', { count: 60, racks: 1, sites: 1 }, 'none', 60],
  ])('%s', (_what, { count, racks, sites }, grouping, nodes) => {
    const grouped = groupGraph(graphOf(count, racks, sites))
    expect([grouping, nodes]).toEqual([grouped.grouping, grouped.nodes.length])
    expect(grouped.nodes.reduce((sum, { size }) => sum + size, 0)).toBe(count)
  })

  it('have their links counted between groups, but not within a group', () => {
    const { links } = groupGraph(graphOf(6, 2), 'rack')
    expect(links).toEqual([{ a: 'rack:0', b: 'rack:1', kind: 'network', count: 5 }])
    expect(groupGraph(graphOf(6, 2), 'site').links).toEqual([])
  })

  it('have the ports of their links at the side of their device', () => {
    const { devices } = graphOf(12, 1)
    const links: readonly DeviceLink[] = [
      { kind: 'network', a: 'device:2', b: 'device:1', ports: [['dcim.interface:2', 'dcim.interface:1']] },
      { kind: 'network', a: 'device:1', b: 'device:2', ports: [['dcim.interface:3', 'dcim.interface:4']] },
    ]
    const graph = { devices, links, isCut: false }
    expect(groupGraph(graph).links[0]?.ports).toEqual([
      ['dcim.interface:1', 'dcim.interface:2'],
      ['dcim.interface:3', 'dcim.interface:4'],
    ])
  })

  it('have circuits between them, and the providers of those that end elsewhere', () => {
    const { devices } = graphOf(4, 2, 2)
    const end = (device: number, circuit: number): DeviceLink => ({
      ...{ kind: 'circuits', a: `device:${device}`, b: `circuit:${circuit}`, ports: [], provider: 9 },
    })
    // Circuits 1 and 2 connect both sites, 3 lies within one, 4 and 5 end elsewhere.
    const links = [end(1, 1), end(2, 1), end(3, 2), end(4, 2), end(1, 3), end(3, 3), end(1, 4), end(3, 5)]
    const grouped = groupGraph({ devices, links, isCut: false }, 'site')
    expect(grouped.links.map(({ a, b, count }) => [a, b, count])).toEqual([
      ['provider:9', 'site:1', 2],
      ['site:1', 'site:2', 2],
    ])
    expect(grouped.nodes.map(({ key, size }) => [key, size])).toEqual([
      ['provider:9', 2],
      ['site:1', 2],
      ['site:2', 2],
    ])
    expect(groupGraph({ devices, links, isCut: false }, 'none').nodes).toHaveLength(4 + 5)
  })
})
