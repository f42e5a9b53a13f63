import { expect } from 'vitest'
import { addBeside, addFromMenu, button, field, linkTo, saveBeside, send } from './steps.ts'
import { type Story, tellStories } from './story.ts'

const STORIES: readonly Story[] = [
  {
    name: 'begin',
    title: 'Begin with an empty database: a site, a rack, and a device with an address',
    clicks: { desktop: 21, phone: 21 },
    run: async (person) => {
      const { page, api, size, fill, pick, click } = person
      await page.getByRole('heading', { name: 'First steps' }).waitFor()
      await click(linkTo(person, 'Add site'))
      await fill(field(person, 'Name'), `Pier ${size}`)
      await send(person, 'Create site')
      await addFromMenu(person, 'Add', 'Rack')
      await fill(field(person, 'Name'), `R-${size}`)
      await send(person, 'Create rack')
      await click(linkTo(person, `R-${size}`))
      await click(linkTo(person, /^Add a device at U20\b/))
      await page.waitForURL(/\/dcim\/devices\/add\//)
      await fill(field(person, 'Name'), `sw-${size}`)
      const type = await addBeside(person, page, 'device_type')
      await saveBeside(person, await addBeside(person, type, 'manufacturer'), { name: `Maker ${size}` })
      await saveBeside(person, type, { model: `Switch ${size}` })
      await saveBeside(person, await addBeside(person, page, 'role'), { name: `Role ${size}` })
      await send(person, 'Create device')
      await click(linkTo(person, `sw-${size}`))
      await addFromMenu(person, 'Add', 'Interface')
      await fill(field(person, 'Name'), 'mgmt0')
      await pick(field(person, 'Type'), 'Virtual')
      await send(person, 'Create interface')
      await click(linkTo(person, /^Interfaces/))
      await click(linkTo(person, 'Add IP address: mgmt0'))
      await fill(field(person, 'Address'), '192.0.2.1/24')
      await send(person, 'Create IP address')
      const { json } = await api.ask('GET', `/api/dcim/devices/?name=sw-${size}`)
      expect(json.results?.[0]).toMatchObject({ rack: { name: `R-${size}` }, position: 20 })
      expect((await api.ask('GET', `/api/ipam/ip-addresses/?device=sw-${size}`)).json.count).toBe(1)
    },
  },
  {
    name: 'first-import',
    title: 'Begin with an empty database: import sites from a spreadsheet',
    clicks: { desktop: 3, phone: 3 },
    run: async (person) => {
      const { page, api, fill, click } = person
      await click(linkTo(person, 'Import sites'))
      await fill(page.getByLabel('Text', { exact: true }), 'name\tfacility\nNorth Pier\tHall 1\nSouth Pier\tHall 2')
      await click(button(person, 'Import now'))
      // The text lacks the status, for which the page offers that of new sites.
      await page.getByText('Nothing was imported.').waitFor()
      await click(button(person, 'Import now'))
      await page.waitForURL(/modified_by_request/)
      expect((await api.ask('GET', '/api/dcim/sites/?facility__isw=Hall')).json.count).toBe(2)
    },
  },
]

// Each story deletes what the one before it has left.
tellStories(
  'the first ten minutes',
  STORIES.map((story) => ({
    ...story,
    run: async (person) => {
      for (const path of ['ipam/ip-addresses', 'dcim/devices', 'dcim/racks', 'dcim/sites']) {
        const { json } = await person.api.ask('GET', `/api/${path}/`)
        const body = (json.results ?? []).map(({ id }) => ({ id }))
        if (body.length > 0) await person.api.ask('DELETE', `/api/${path}/`, { body })
      }
      await person.page.reload()
      await story.run(person)
    },
  })),
  async () => undefined,
  { isEmpty: true },
)
