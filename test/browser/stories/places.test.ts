import { expect } from 'vitest'
import { button, content, find, jumpTo, linkTo, openList, send } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

/** Moves a device with its handle: presses the handle, and then the free unit. The API then shows it there. */
async function moveTo(person: Person, device: string, rack: string, unit: number): Promise<void> {
  const { page, click } = person
  await click(page.getByRole('button', { name: `Move ${device}` }).first())
  const racks = page.locator(`[data-rack][data-name="${rack}"]`)
  await click(racks.locator(`[data-free="${unit}"][data-face="front"] a`))
  await page.getByText(`Moved ${device} to ${rack}, U${unit}, front.`).waitFor()
}

/** The units of devices by name, according to the API. */
async function unitsOf({ api }: Person, names: readonly string[]): Promise<readonly string[]> {
  const query = new URLSearchParams(names.map((name): [string, string] => ['name', name]))
  const { json } = await api.ask('GET', `/api/dcim/devices/?${query}&ordering=name`)
  return (json.results ?? []).map(({ rack, position }) => `${rack?.name} ${position}`)
}

const STORIES: readonly Story[] = [
  {
    name: 'address',
    title: 'Give a server a free address by clicking it',
    clicks: { desktop: 5, phone: 5 },
    run: async (person) => {
      const { page, api, size } = person
      const address = size === 'phone' ? '10.20.1.151' : '10.20.1.150'
      await find(person, '10.20.1.128/26', /^10\.20\.1\.128\/26/)
      await person.click(linkTo(person, `Use ${address}`))
      await page.waitForURL(/\/ip-addresses\/add\//)
      await person.type(page.getByRole('combobox', { name: 'Assign to', exact: true }), 'hh-server')
      await person.click(
        page
          .getByRole('listbox', { name: 'Found' })
          .getByRole('option', { name: /hh-server/ })
          .first(),
      )
      await person.click(button(person, 'Create IP address'))
      await page.waitForURL(/\/ipam\/prefixes\/\d+\//)
      const { json } = await api.ask('GET', `/api/ipam/ip-addresses/?address=${address}`)
      expect(json.results?.[0]?.assigned_object?.device?.name).toBe('hh-server')
    },
  },
  {
    name: 'subnet',
    title: 'Allocate a free /26, and its first address to a server',
    task: 9,
    clicks: { desktop: 4, phone: 4 },
    netbox: 9,
    run: async (person) => {
      const { page, api, fill, click } = person
      await jumpTo(person, '10.20.4.0/24', /^10\.20\.4\.0\/24/)
      await click(button(person, 'Allocate'))
      await page.getByRole('heading', { level: 1, name: /^10\.20\.4\.\d+\/26/ }).waitFor()
      await click(linkTo(person, /^Use 10\.20\.4\.\d+$/))
      await page.waitForURL(/\/ip-addresses\/add\//)
      await fill(page.getByRole('combobox', { name: 'Assign to', exact: true }), 'hh-server')
      await page
        .getByRole('option', { name: /hh-server/ })
        .first()
        .waitFor()
      await person.press('ArrowDown')
      await person.press('Enter')
      await send(person, 'Create IP address')
      const prefixes = await api.ask('GET', '/api/ipam/prefixes/?within=10.20.4.0/24')
      expect(prefixes.json.count).toBe(person.size === 'phone' ? 2 : 1)
      const { json } = await api.ask('GET', '/api/ipam/ip-addresses/?parent=10.20.4.0/24&device=hh-server')
      expect(json.count).toBe(person.size === 'phone' ? 2 : 1)
    },
  },
  {
    name: 'rack',
    title: 'Move three devices within a rack, and then to another one',
    task: 12,
    clicks: { desktop: 14, phone: 14 },
    // Four for each of the six moves.
    netbox: 24,
    run: async (person) => {
      const { page, size } = person
      const names = ['box-1', 'box-2', 'box-3'].map((name) => `${size}-${name}`)
      const [from, to, up] = size === 'phone' ? ['P-1', 'P-2', 6] : ['D-1', 'D-2', 6]
      await find(person, from, new RegExp(`^${from}`))
      for (const [index, name] of names.entries()) await moveTo(person, name, from, up + index)
      expect(await unitsOf(person, names)).toEqual([`${from} 6`, `${from} 7`, `${from} 8`])
      await person.click(linkTo(person, 'Elevations'))
      await page.getByRole('heading', { level: 1, name: /Rack elevations/ }).waitFor()
      for (const [index, name] of names.entries()) await moveTo(person, name, to, 1 + index)
      expect(await unitsOf(person, names)).toEqual([`${to} 1`, `${to} 2`, `${to} 3`])
    },
  },
  {
    name: 'unit',
    title: 'Add a device to a free unit',
    clicks: { desktop: 8, phone: 8 },
    run: async (person) => {
      const { page, size } = person
      const name = `${size}-new`
      await find(person, 'GR-1', /^GR-1/)
      const unit = size === 'phone' ? 5 : 4
      await person.click(linkTo(person, `Add a device at U${unit}, front`))
      await person.type(page.getByLabel('Name', { exact: true }), name)
      await person.choose(page.getByLabel(/^Device role/).first(), 'Router')
      await person.choose(page.getByLabel(/^Device type/).first(), 'Ebb 2 · Tidewater')
      await person.click(button(person, 'Create device'))
      await page.waitForURL(/\/dcim\/devices\/\d+\/|\/dcim\/racks\/2\//)
      expect(await unitsOf(person, [name])).toEqual([`GR-1 ${unit}`])
    },
  },
  {
    name: 'full',
    title: 'See how full racks, power and prefixes are',
    clicks: { desktop: 5, phone: 6 },
    run: async (person) => {
      await find(person, 'Harbour House', /^Harbour House/)
      expect(await content(person)).toMatch(/Rack space[\s\S]*of \d+ U/)
      await person.click(linkTo(person, 'HH-1'))
      await person.page.waitForURL(/\/dcim\/racks\/1\//)
      expect(await content(person)).toMatch(/Space[\s\S]*of 12 U/)
      expect(await content(person)).toMatch(/Power[\s\S]*of [\d,]+ W/)
      await openList(person, 'IPAM', 'Prefixes')
      await person.click(linkTo(person, '10.20.0.0/16'))
      await person.page.getByRole('heading', { name: 'Prefixes and free space' }).waitFor()
      expect(await content(person)).toMatch(/% in \d+ prefixes/)
    },
  },
]

tellStories('racks and addresses', STORIES, async (api) => {
  const made = async (path: string, body: object) => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return json
  }
  await made('ipam/prefixes', { prefix: '10.20.4.0/24', status: 'container' })
  const location = await made('dcim/locations', { name: 'Store', slug: 'store', site: 1 })
  const place = { site: 1, location: location.id }
  for (const [size, racks] of [
    ['desktop', ['D-1', 'D-2']],
    ['phone', ['P-1', 'P-2']],
  ] as const) {
    const [first] = await made(
      'dcim/racks',
      racks.map((name) => ({ ...place, name, u_height: 10 })),
    )
    await made(
      'dcim/devices',
      [1, 2, 3].map((position) => ({
        ...place,
        name: `${size}-box-${position}`,
        ...{ rack: first?.id, position, face: 'front', device_type: 1, role: 1 },
      })),
    )
  }
  const panel = await made('dcim/power-panels', { site: 1, name: 'Main' })
  await made('dcim/power-feeds', { power_panel: panel.id, rack: 1, name: 'A', voltage: 230 })
})
