import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  await furnish()
})
afterAll(() => api.close())

const made = (path: string, body: object) => createdId(api, path, body)
const page = (path: string, token?: string) => readPage(api, path, token)

const ids = { site: 0, rack: 0, other: 0, shown: 0, hidden: 0, loose: 0 }

/** A rack with two devices, a reservation and a power feed, another rack, and a device that is not mounted. */
async function furnish(): Promise<void> {
  ids.site = await made('dcim/sites', { name: 'Hall', slug: 'hall' })
  const site = { site: ids.site }
  ids.rack = await made('dcim/racks', {
    ...{ ...site, name: 'R1', u_height: 10, max_weight: 100, weight: 30, weight_unit: 'kg' },
  })
  ids.other = await made('dcim/racks', { ...site, name: 'R2', u_height: 12 })
  const manufacturer = await made('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const type = await made('dcim/device-types', {
    ...{ manufacturer, model: 'Box', slug: 'box', u_height: 2, weight: 10, weight_unit: 'kg' },
  })
  const role = await made('dcim/device-roles', { name: 'Server', slug: 'server', color: '2196f3' })
  const device = { ...site, device_type: type, role, status: 'active' }
  const place = { ...device, rack: ids.rack, face: 'front' }
  ids.shown = await made('dcim/devices', { ...place, name: 'shown-1', position: 1 })
  ids.hidden = await made('dcim/devices', { ...place, name: 'secret-2', position: 5 })
  ids.loose = await made('dcim/devices', { ...device, name: 'loose-3' })
  const user = Number((await api.ask('GET', '/api/users/users/')).json.results?.[0]?.id)
  await made('dcim/rack-reservations', {
    ...{ rack: ids.rack, units: [9, 10], user, description: 'Spare' },
  })
  const panel = await made('dcim/power-panels', { ...site, name: 'P1' })
  const feed = await made('dcim/power-feeds', {
    ...{ power_panel: panel, rack: ids.rack, name: 'F1', voltage: 230, amperage: 10 },
  })
  const port = await made('dcim/power-ports', {
    ...{ device: ids.shown, name: 'PSU', allocated_draw: 460 },
  })
  await made('dcim/cables', {
    a_terminations: [{ object_type: 'dcim.powerfeed', object_id: feed }],
    b_terminations: [{ object_type: 'dcim.powerport', object_id: port }],
  })
}

/** Permissions for one user: models, actions, constraints. */
type Grants = readonly (readonly [models: readonly string[], actions: readonly string[], only?: object])[]

let guests = 0
async function guestToken(grants: Grants): Promise<string> {
  guests += 1
  const user = await made('users/users', { username: `guest${guests}`, password: 'Guest-2026-x!' })
  for (const [index, [object_types, actions, constraints]] of grants.entries()) {
    await made('users/permissions', {
      ...{ name: `${guests}-${index}`, users: [user], object_types, actions },
      ...(constraints && { constraints }),
    })
  }
  const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
  return String(json.token ?? json.key)
}

/** Two racks with a shelf of 1 U with two bays each, of which one holds a device, and a PDU beside the units of one. */
async function furnishShelves() {
  const type = (body: object) => made('dcim/device-types', { manufacturer: 1, ...body })
  const site = await made('dcim/sites', { name: 'Annex', slug: 'annex' })
  const rack = await made('dcim/racks', { site, name: 'R3', u_height: 4 })
  const other = await made('dcim/racks', { site, name: 'R4', u_height: 4 })
  const shelfType = await type({ model: 'Shelf', slug: 'shelf', u_height: 1, subdevice_role: 'parent' })
  const halfType = await type({ model: 'Half', slug: 'half', u_height: 0, subdevice_role: 'child' })
  const pduType = await type({ model: 'PDU', slug: 'pdu', u_height: 0 })
  const device = { site, role: 1, rack }
  const shelf = async (name: string, rack: number) => {
    const place = { rack, position: 2, face: 'front' }
    const id = await made('dcim/devices', { ...device, ...place, name, device_type: shelfType })
    const left = await made('dcim/device-bays', { device: id, name: 'Left' })
    return { left, right: await made('dcim/device-bays', { device: id, name: 'Right' }) }
  }
  const shelves = [await shelf('shelf', rack), await shelf('shelf-2', other)] as const
  const half = await made('dcim/devices', { ...device, name: 'half-1', device_type: halfType })
  await install(shelves[0].left, half)
  const pdu = await made('dcim/devices', { ...device, name: 'pdu-1', device_type: pduType })
  return { rack, other, shelves, half, pdu }
}

const install = async (bay: number, installed_device: number | null) => {
  const { status, text } = await api.ask('PATCH', `/api/dcim/device-bays/${bay}/`, { body: { installed_device } })
  expect(status, text).toBe(200)
}

/** Links of what is in the bays of the rack, and the titles of those that are free. */
async function drawnBays(rack: number): Promise<readonly (string | undefined)[]> {
  const text = await page(`/dcim/racks/${rack}/`)
  const bays = /<span class="bays">(.*?)<\/span><small>/.exec(text)?.[1] ?? ''
  return [...bays.matchAll(/href="([^"]*)"|class="fitted free" title="([^"]*)"/g)].map(([, href, free]) => href ?? free)
}

describe("a rack's page", () => {
  it('has devices in bays side by side in their units, and devices of 0 U beside them', async () => {
    const { rack, other, shelves, half, pdu } = await furnishShelves()
    const [shelf, elsewhere] = shelves
    expect(await drawnBays(rack)).toEqual([`/dcim/devices/${half}/`, 'Right'])
    const text = await page(`/dcim/racks/${rack}/`)
    expect(/<p class="beside">.*?href="([^"]*)"/.exec(text)?.[1]).toBe(`/dcim/devices/${pdu}/`)
    const only = await guestToken([
      [['dcim.rack', 'dcim.devicebay', 'dcim.devicetype', 'dcim.devicerole'], ['view']],
      [['dcim.device'], ['view'], { name: 'shelf' }],
    ])
    const restricted = await page(`/dcim/racks/${rack}/`, only)
    expect(restricted).toContain('shelf')
    expect(restricted).not.toMatch(/half-1|pdu-1/)
    await install(shelf.left, null)
    await install(elsewhere.right, half)
    expect(await drawnBays(rack)).toEqual(['Left', 'Right'])
    expect(await drawnBays(other)).toEqual(['Left', `/dcim/devices/${half}/`])
  })

  it('has each device at its units on both faces, with links', async () => {
    const text = await page(`/dcim/racks/${ids.rack}/`)
    const cells = [...text.matchAll(/<td class="(device[^"]*)" rowspan="2" data-device="(\d+)"/g)]
    expect(cells.map(([, kind, id]) => [kind, Number(id)])).toEqual([
      ['device', ids.hidden],
      ['device far', ids.hidden],
      ['device', ids.shown],
      ['device far', ids.shown],
    ])
    expect(text).toContain(`href="/dcim/devices/${ids.shown}/"`)
  })

  it('links each free unit to a form with the place filled in', async () => {
    const text = await page(`/dcim/racks/${ids.rack}/`)
    const form = `/dcim/devices/add/?site=${ids.site}&rack=${ids.rack}&position=7&face=rear`
    expect(text).toContain(`href="${form.replaceAll('&', '&amp;')}"`)
    const filled = await page(form)
    expect(filled).toMatch(/<option value="7" selected>/)
    expect(filled).toMatch(/<option value="rear" selected>/)
  })

  it('shows reserved units and their users', async () => {
    const text = await page(`/dcim/racks/${ids.rack}/`)
    expect(text).toContain('class="free reserved"')
    expect(text).toMatch(/Reserved by admin: Spare/)
  })

  it('shows how full the rack is, in units, power and weight', async () => {
    const text = await page(`/dcim/racks/${ids.rack}/`)
    expect(text).toContain('<strong>40 %</strong> 4 of 10 U, 2 U reserved')
    expect(text).toContain('<strong>25 %</strong> 460 of 1,840 W')
    expect(text).toContain('<strong>50 %</strong> 50 of 100 kg')
  })

  it('lists unmounted devices of the site, and searches them', async () => {
    expect(await page(`/dcim/racks/${ids.rack}/`)).toContain('loose-3')
    const text = await page(`/dcim/racks/${ids.rack}/?tray=nothing`)
    expect(text).not.toContain('loose-3')
    expect(text).toContain('No device matches this name.')
  })

  it('shows hidden devices only as occupied units', async () => {
    const token = await guestToken([
      [['dcim.rack', 'dcim.site'], ['view']],
      [['dcim.device'], ['view'], { name: 'shown-1' }],
    ])
    const text = await page(`/dcim/racks/${ids.rack}/`, token)
    expect(text).toContain('shown-1')
    expect(text).not.toMatch(/secret-2|loose-3|Spare/)
    expect(text).not.toContain(`data-device="${ids.hidden}"`)
    expect(text).toMatch(/<td class="hidden" rowspan="2" data-device="0" data-label=""/)
    expect(text).toContain('<strong>40 %</strong> 4 of 10 U<')
    expect(text).toContain('data-may-move="false"')
    expect(text).not.toContain('/dcim/devices/add/')
  })
})

describe('the page of racks side by side', () => {
  it('shows the racks that match a filter, with one face', async () => {
    const text = await page('/dcim/rack-elevations/?name=R2&face=rear')
    expect(text).toContain(`data-rack="${ids.other}"`)
    expect(text).not.toContain(`data-rack="${ids.rack}"`)
    expect(text).toContain('<th scope="col" data-face="rear">')
    expect(text).not.toContain('<th scope="col" data-face="front">')
    expect(text).not.toContain('has no filter')
  })

  it('shows users only the racks that they may view', async () => {
    const token = await guestToken([[['dcim.rack'], ['view'], { name: 'R2' }]])
    const text = await page('/dcim/rack-elevations/', token)
    expect(text).toContain(`data-rack="${ids.other}"`)
    expect(text).not.toContain(`data-rack="${ids.rack}"`)
    expect(text).toContain('href="/dcim/rack-elevations/"')
    const refused = await api.ask('GET', '/dcim/rack-elevations/', {
      token: await guestToken([[['dcim.site'], ['view']]]),
    })
    expect(refused.status).toBe(403)
  })

  it('refuses a filter that cannot be used', async () => {
    const { status } = await api.ask('GET', '/dcim/rack-elevations/?site_id=x', {
      headers: { accept: 'text/html' },
    })
    expect(status).toBe(400)
  })
})

describe("a site's page", () => {
  it('lists its locations with racks, devices and space, including nested locations', async () => {
    const { site } = ids
    const hall = await made('dcim/locations', { name: 'East hall', slug: 'east', site })
    const row = await made('dcim/locations', { name: 'Row A', slug: 'row-a', site, parent: hall })
    await made('dcim/racks', { name: 'A1', site, location: row, u_height: 42 })
    const text = await page(`/dcim/sites/${site}/`)
    for (const [depth, name] of [
      [0, 'East hall'],
      [1, 'Row A'],
    ]) {
      expect(text).toMatch(
        new RegExp(`class="depth-${depth}"><a [^>]*>${name}</a></th><td class="num"[^>]*><a [^>]*>1<`),
      )
    }
    expect(text).toContain('<strong>6 %</strong> 4 of 64 U')
    expect(await page(`/dcim/locations/${hall}/`)).toContain('Row A')
  })

  it('lists what belongs to it, as far as the user may view it', async () => {
    const { site } = ids
    await made('ipam/vlans', { name: 'Servers', vid: 10, site })
    const text = await page(`/dcim/sites/${site}/`)
    expect(text).toMatch(/href="\/ipam\/vlans\/\?site_id=\d+">VLANs<\/a> <span class="count">1</)
    const token = await guestToken([[['dcim.site', 'dcim.rack'], ['view'], { name__in: ['Hall', 'R1'] }]])
    const restricted = await page(`/dcim/sites/${site}/`, token)
    expect(restricted).toMatch(/Racks<\/a> <span class="count">1</)
    expect(restricted).not.toMatch(/VLANs|East hall|shown-1|secret-2/)
    // The devices of the rack are hidden; their units are not free.
    expect(restricted).toContain('4 of 10 U')
  })
})
