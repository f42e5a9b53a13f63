import { describe, expect, it } from 'vitest'
import type { DeviceGraph, DeviceLink } from './graph.ts'
import { groupGraph } from './group-graph.ts'

/** Devices of this many racks in turn, ten racks in each location, with a cable from each to the next. */
function graphOf(count: number, racks: number): DeviceGraph {
  const devices = Array.from({ length: count }, (_, index) => {
    const rack = index % racks
    return { id: index + 1, site: 1, location: Math.floor(rack / 10), rack, role: 1 }
  })
  const links = devices
    .slice(1)
    .map(({ id }): DeviceLink => ({ kind: 'network', a: `device:${id - 1}`, b: `device:${id}`, ports: [] }))
  return { devices, links, isCut: false }
}

describe('the devices of a map', () => {
  it.each([
    ['are shown individually while they are few', 100, 20, 'none', 100],
    ['are grouped by rack', 2000, 50, 'rack', 50],
    ['are grouped by location if there are many racks', 2000, 500, 'location', 50],
    ['are grouped by site if there are many locations', 5000, 2000, 'site', 1],
  ])('%s', (_what, count, racks, grouping, nodes) => {
    const grouped = groupGraph(graphOf(count, racks))
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

  it('have circuits next to them', () => {
    const { devices } = graphOf(1, 1)
    const links: readonly DeviceLink[] = [{ kind: 'circuits', a: 'device:1', b: 'circuit:7', ports: [] }]
    const { nodes } = groupGraph({ devices, links, isCut: false }, 'rack')
    expect(nodes.map(({ key }) => key)).toEqual(['circuit:7', 'rack:0'])
  })
})
