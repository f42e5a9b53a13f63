import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import { ExampleObjects } from '../registry/example-objects.ts'
import { type Api, startApi } from '../support/api.ts'
import { created, createdId, createdIds, readPage } from '../support/requests.ts'

let api: Api
const ids = new Map<string, number>()
beforeAll(async () => {
  api = await startApi()
  const examples = new ExampleObjects(api)
  await examples.createAll()
  for (const model of new Set(PAGES.map(([type]) => type))) ids.set(model, Number(examples.field(model, 'id')))
  await fillRack()
  await fillNetwork()
})
afterAll(() => api.close())

const idOf = (model: string): number => ids.get(model) ?? 0

/** A rack that is half full, with a device beyond its top, weight, and power from a feed. */
async function fillRack(): Promise<void> {
  const [site, location] = [idOf('dcim.site'), idOf('dcim.location')]
  const rack = await createdId(api, 'dcim/racks', { name: 'Half full', site, location, u_height: 10, starting_unit: 3 })
  ids.set('dcim.rack', rack)
  const device_type = await createdId(api, 'dcim/device-types', {
    ...{ manufacturer: idOf('dcim.manufacturer'), model: 'Two units', slug: 'two-units', u_height: 2 },
    ...{ weight: 7, weight_unit: 'kg' },
  })
  ids.set('dcim.devicetype', device_type)
  const device = { site, location, rack, role: idOf('dcim.devicerole'), device_type, face: 'front', status: 'active' }
  const tenant = idOf('tenancy.tenant')
  const [first] = await createdIds(api, 'dcim/devices', [
    { ...device, name: 'lower', position: 3, tenant },
    { ...device, name: 'upper', position: 6, tenant },
    { ...device, name: 'loose', rack: null, face: '' },
  ])
  const feed = await createdId(api, 'dcim/power-feeds', {
    ...{ power_panel: idOf('dcim.powerpanel'), rack, name: 'Feed A', voltage: 230, amperage: 16 },
  })
  ids.set('dcim.powerfeed', feed)
  const port = await createdId(api, 'dcim/power-ports', { device: first, name: 'PSU', allocated_draw: 500 })
  await createdId(api, 'dcim/cables', {
    a_terminations: [{ object_type: 'dcim.powerfeed', object_id: feed }],
    b_terminations: [{ object_type: 'dcim.powerport', object_id: port }],
  })
}

/** Prefixes with addresses, and VLANs of a group. */
async function fillNetwork(): Promise<void> {
  const vrf = idOf('ipam.vrf')
  const site = { scope_type: 'dcim.site', scope_id: idOf('dcim.site') }
  const [container = 0] = await createdIds(api, 'ipam/prefixes', [
    { prefix: '10.77.0.0/16', vrf, status: 'container' },
    { prefix: '10.77.1.0/28', vrf, tenant: idOf('tenancy.tenant'), ...site },
  ])
  ids.set('ipam.prefix', container)
  await createdIds(api, 'ipam/ip-addresses', [
    { address: '10.77.1.1/28', vrf },
    { address: '10.77.1.2/28', vrf },
  ])
  const group = await createdId(api, 'ipam/vlan-groups', { name: 'Numbers', slug: 'numbers', vid_ranges: [[300, 309]] })
  ids.set('ipam.vlangroup', group)
  await createdIds(api, 'ipam/vlans', [
    { name: 'A', vid: 301, group },
    { name: 'B', vid: 302, group },
  ])
}

/** Pages with figures, by the model of an object, and what a user may view who needs them. */
const PAGES: readonly (readonly [type: string, ...others: string[]])[] = [
  ['dcim.site'],
  ['dcim.site', 'dcim.rack'],
  ['dcim.site', 'dcim.rack', 'dcim.device', 'dcim.interface'],
  ['dcim.site', 'dcim.location', 'dcim.device'],
  ['dcim.site', 'dcim.device'],
  ['dcim.location', 'dcim.device'],
  ['dcim.rack'],
  ['dcim.rack', 'dcim.site', 'dcim.device'],
  ['dcim.rack', 'dcim.powerfeed'],
  ['dcim.location'],
  ['dcim.location', 'dcim.rack'],
  ['dcim.location', 'dcim.site', 'dcim.rack', 'dcim.device'],
  ['dcim.devicerole', 'dcim.device'],
  ['dcim.devicetype', 'dcim.device'],
  ['dcim.manufacturer', 'dcim.device', 'dcim.devicetype'],
  ['dcim.device'],
  ['dcim.region', 'dcim.site', 'dcim.device'],
  ['dcim.powerfeed'],
  ['dcim.powerpanel', 'dcim.powerfeed'],
  ['ipam.prefix'],
  ['ipam.prefix', 'ipam.ipaddress'],
  ['ipam.aggregate'],
  ['ipam.rir', 'ipam.aggregate'],
  ['ipam.vrf', 'ipam.prefix', 'ipam.ipaddress'],
  ['ipam.vlangroup'],
  ['ipam.vlangroup', 'ipam.vlan', 'ipam.prefix'],
  ['virtualization.cluster'],
  ['virtualization.cluster', 'virtualization.virtualmachine', 'dcim.device'],
  ['circuits.provider', 'circuits.circuit'],
  ['circuits.circuit'],
  ['tenancy.tenant', 'dcim.device', 'dcim.rack', 'ipam.prefix'],
  ['tenancy.tenant', 'circuits.circuit', 'virtualization.virtualmachine', 'dcim.site'],
]

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const cellsOf = (row: string): readonly string[] =>
  [...row.matchAll(/<t[hd]\b[^>]*>.*?<\/t[hd]>/gs)].map(([cell]) => cell)

/** The first text that a pattern captures, without its markup. */
const part = (markup: string, pattern: RegExp): string => textOf(pattern.exec(markup)?.[1] ?? '')

/**
 * The figures of a page by what they are figures of: numbers and shares in tables, rows of lists, numbers beside links,
 * in meters, and in the facts of the object.
 */
function figuresOf(page: string): ReadonlyMap<string, string> {
  const main = /<main.*<\/main>/s.exec(page)?.[0] ?? ''
  const figures = new Map<string, string>()
  // Up to the next heading.
  for (const block of main.split(/(?=<h2)/)) {
    const heading = part(block, /<h2>((?:<a[^>]*>)?[^<]*)/s)
    const note = (label: string, figure: string): void => {
      if (/\d/.test(figure)) figures.set(`${heading} | ${label}`, figure)
    }
    for (const [table, isList] of block.matchAll(/(objects-table[^>]*>)?<table.*?<\/table>/gs)) {
      const headings = cellsOf(/<thead.*?<\/thead>/s.exec(table)?.[0] ?? '').map(textOf)
      const rows = [...table.replace(/<thead.*?<\/thead>/s, '').matchAll(/<tr\b.*?<\/tr>/gs)].map(([row]) => row)
      // The space between objects is listed with those that the reader may view.
      if (isList && !table.includes('space-table')) note('rows', String(rows.length))
      for (const cells of rows.map(cellsOf)) {
        const name = textOf(cells.find((cell) => cell.startsWith('<th') || cell.includes('<bdi>')) ?? cells[0] ?? '')
        for (const [index, cell] of cells.entries()) {
          if (/class="num"|utilization/.test(cell)) note(`${name} | ${headings[index] ?? ''}`, textOf(cell))
        }
      }
    }
    for (const [, label = '', figure = ''] of block.matchAll(
      /([^>]*<\/a>|[^>]*)\s*<span class="count">(.*?)<\/span>/gs,
    )) {
      note(textOf(label) || 'all', textOf(figure))
    }
    for (const [meter] of block.matchAll(/<div class="utilization">.*?<\/div>/gs)) {
      const label = part(meter, /utilization-label">(.*?)<\/span>/s)
      note(label.replace(/\d+/, 'N'), `${label} ${part(meter, /utilization-text">(.*?)<\/span>/s)}`)
    }
    for (const [, label = '', figure = ''] of block.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs)) {
      if (/^[<\d]/.test(textOf(figure))) note(textOf(label), textOf(figure))
    }
    for (const [tile] of block.matchAll(/<a class="tile.*?<\/a>/gs)) {
      note(part(tile, /<\/strong>(.*?)<\/a>/s), part(tile, /<strong>(.*?)<\/strong>/s))
    }
  }
  return figures
}

/** Token of a new user who may view these types. */
async function viewer(object_types: readonly string[]): Promise<string> {
  const username = `viewer-${ids.size}`
  const user = await createdId(api, 'users/users', { username, password: 'Long-enough-Passw0rd' })
  ids.set(username, user)
  await createdId(api, 'users/permissions', { name: username, users: [user], actions: ['view'], object_types })
  return String((await created(api, 'users/tokens', { user, version: 1 })).key)
}

describe('a figure is the same for everyone who may see it, or absent', () => {
  it.each(PAGES.map((types) => ({ name: types.join(', '), types })))('$name', async ({ types }) => {
    const [type] = types
    const model = api.service.registry.model(type)
    const token = await viewer(types)
    const wrong: string[] = []
    let compared = 0
    for (const path of ['/', pagePathOf(model) ?? '', `${pagePathOf(model)}${idOf(type)}/`]) {
      const right = figuresOf(await readPage(api, path))
      for (const [label, figure] of figuresOf(await readPage(api, path, token))) {
        if (label.endsWith('| Tokens')) continue // their own ones
        compared += 1
        if (right.get(label) !== figure) wrong.push(`${path} ${label}: ${figure}, not ${right.get(label)}`)
      }
    }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(0)
  })
})
