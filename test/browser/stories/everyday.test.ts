import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect } from 'vitest'
import { button, content, find, goTo, jumpTo, linkTo, openList } from './steps.ts'
import { type Person, type Story, tellStories } from './story.ts'

/** Devices as CSV; `role` and `site` are the texts of one row each, which may be wrong. */
const csvOf = (prefix: string, role: string, site: string): string =>
  [
    'name,role,manufacturer,device_type,site,status',
    ...Array.from({ length: 200 }, (_, index) => {
      const number = String(index + 1).padStart(3, '0')
      const wrong = [index === 49 ? role : 'Router', index === 99 ? site : 'Harbour House'] as const
      return `${prefix}${number},${wrong[0]},Tidewater,Lantern R2,${wrong[1]},active`
    }),
  ].join('\n')

/** Gives the 20 devices that a filter finds another status. */
async function setStatus(person: Person, status: string): Promise<void> {
  const { page } = person
  await goTo(person, 'Devices', 'Devices')
  await person.type(page.getByPlaceholder('Search in this list…'), 'rack-')
  await person.press('Enter')
  await page.waitForURL(/q=rack-/)
  await person.click(page.getByRole('checkbox', { name: 'Select all on this page' }))
  await person.click(button(person, 'Edit'))
  await person.pick(page.getByLabel('Status', { exact: true }), status)
  await person.click(button(person, /^(Apply|Change|Save)/))
  await page.waitForURL(/\/dcim\/devices\/\?/)
}

/** What people search for, and the object that they look for. */
const SEARCHES = [
  { by: 'address', text: '10.20.1.130', name: /^10\.20\.1\.130/ },
  { by: 'serial number', text: 'SN-20481', name: /^gr-router/ },
  { by: 'tag', text: 'coastline', name: /^Coastline/ },
  { by: 'words', text: 'gull router', name: /^gr-router/ },
]

const STORIES: readonly Story[] = [
  {
    name: 'port',
    title: 'Find out what is behind a port of a router',
    task: 1,
    clicks: { desktop: 3, phone: 3 },
    netbox: 5,
    run: async (person) => {
      const { page } = person
      await find(person, 'hh-router', 'hh-router')
      await person.click(linkTo(person, /^Interfaces/))
      await person.click(page.getByRole('rowheader').first().getByRole('link'))
      await page.getByText('Connected to').first().waitFor()
      expect(await content(person)).toContain('hh-')
    },
  },
  {
    name: 'mac',
    title: 'Find an interface by a MAC address, however it is written',
    task: 7,
    clicks: { desktop: 2, phone: 2 },
    run: async (person) => {
      await find(person, '0200.5e10.0001', /02:00:5E:10:00:01/i)
      expect(await content(person)).not.toContain('Site: Gull Rock')
    },
  },
  {
    name: 'find',
    title: 'Find four objects: by an address, a serial number, a tag, and words',
    task: 7,
    clicks: { desktop: 4, phone: 4 },
    // Two for each, at least.
    netbox: 8,
    run: async (person) => {
      for (const { text, name } of SEARCHES) {
        await jumpTo(person, text, name)
        await person.page.getByRole('heading', { level: 1, name }).waitFor()
      }
    },
  },
  {
    name: 'face',
    title: 'See which ports of a switch are free, and open one',
    task: 37,
    clicks: { desktop: 2, phone: 2 },
    run: async (person) => {
      const { page } = person
      await jumpTo(person, 'hh-switch', /^hh-switch/)
      expect(await content(person)).toMatch(/\d+ of \d+ ports free/)
      await person.click(
        page
          .getByRole('main')
          .getByRole('link', { name: /: Free$/ })
          .first(),
      )
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await content(person)).toContain('hh-switch')
    },
  },
  {
    name: 'change',
    title: 'See who changed what on a switch, and why',
    task: 6,
    clicks: { desktop: 2, phone: 2 },
    run: async (person) => {
      const { page } = person
      await find(person, 'gr-switch', 'gr-switch')
      await person.click(linkTo(person, /^Changelog/))
      await page.getByText('Out of service for a day').first().waitFor()
      expect(await content(person)).toMatch(/admin[\s\S]*Status[\s\S]*Active[\s\S]*Planned/)
    },
  },
  {
    name: 'status',
    title: 'Change the status of all devices that a filter finds',
    task: 3,
    clicks: { desktop: 5, phone: 7 },
    netbox: 6,
    run: async (person) => {
      await setStatus(person, 'Staged')
      const { json } = await person.api.ask('GET', '/api/dcim/devices/?name__isw=rack-&status=staged')
      expect(json.count).toBe(20)
    },
  },
  {
    name: 'status-undo',
    title: 'Change the status of 20 devices, and undo it',
    task: 3,
    clicks: { desktop: 7, phone: 9 },
    run: async (person) => {
      const { page, api } = person
      await setStatus(person, 'Offline')
      await person.click(page.getByRole('status').getByRole('link', { name: 'Undo' }))
      await person.click(button(person, 'Undo 20 changes'))
      await page.getByText('20 changes undone.').waitFor()
      const { json } = await api.ask('GET', '/api/dcim/devices/?name__isw=rack-&status=offline')
      expect(json.count).toBe(0)
    },
  },
  {
    name: 'import',
    title: 'Import 200 devices from a CSV with two errors, correct them, import',
    task: 4,
    clicks: { desktop: 6, phone: 8 },
    netbox: 6,
    run: async (person) => {
      const { page, api, size } = person
      await goTo(person, 'Devices', 'Devices')
      await person.click(linkTo(person, 'Import'))
      await person.fill(page.getByLabel('Text', { exact: true }), csvOf(`${size}-`, 'Rooter', 'Harbour Hous'))
      await person.click(button(person, 'Preview'))
      await person.type(page.getByRole('combobox', { name: 'role: row 50' }), 'Router')
      await person.fill(page.getByRole('combobox', { name: 'site: row 100' }), 'Harbour House')
      await person.click(button(person, 'Preview'))
      await person.click(button(person, 'Import 200 rows'))
      await page.waitForURL(/modified_by_request/)
      const { json } = await api.ask('GET', `/api/dcim/devices/?name__isw=${size}-&limit=1`)
      expect(json.count).toBe(200)
    },
  },
  {
    name: 'import-cells',
    title: 'Import sites from a CSV without slugs and status, and correct the region that it misspells',
    task: 36,
    clicks: { desktop: 5, phone: 7 },
    netbox: 6,
    run: async (person) => {
      const { page, api, size } = person
      await goTo(person, 'Organization', 'Sites')
      await person.click(linkTo(person, 'Import'))
      await person.fill(page.getByLabel('Text', { exact: true }), `name,region\nWharf ${size},Shoer`)
      await person.click(button(person, 'Preview'))
      await person.fill(page.getByLabel('region: row 1'), 'Shore')
      await person.click(button(person, 'Preview'))
      await person.click(button(person, 'Import 1 row'))
      await page.waitForURL(/modified_by_request/)
      const { json } = await api.ask('GET', `/api/dcim/sites/?slug=wharf-${size}&region=shore`)
      expect(json.count).toBe(1)
    },
  },
  {
    name: 'rename',
    title: 'Rename the interfaces of a device',
    task: 5,
    clicks: { desktop: 5, phone: 5 },
    netbox: 5,
    run: async (person) => {
      const { page, api, size } = person
      const [before, after] = size === 'phone' ? ['xe-', 'et-'] : ['ge-', 'xe-']
      await jumpTo(person, 'rack-01', /^rack-01/)
      await person.click(linkTo(person, /^Interfaces/))
      await person.click(page.getByRole('checkbox', { name: 'Select all on this page' }))
      await person.click(button(person, 'Rename'))
      await person.fill(page.locator('input[name=find]'), before)
      await person.fill(page.locator('input[name=replace]'), after)
      await person.press('Enter')
      await person.click(button(person, 'Rename 48 interfaces'))
      await page.waitForURL(/\/devices\/\d+\/interfaces\/\?/)
      const [, device] = /devices\/(\d+)/.exec(page.url()) ?? []
      const { json } = await api.ask('GET', `/api/dcim/interfaces/?device_id=${device}&name__isw=${after}&limit=1`)
      expect(json.count).toBe(48)
    },
  },
  {
    name: 'filter',
    title: 'Go from a site to its devices, and from there to the devices of all sites',
    clicks: { desktop: 4, phone: 4 },
    run: async (person) => {
      const { page } = person
      await find(person, 'Gull Rock', /^Gull Rock/)
      await person.click(linkTo(person, /^Devices/))
      await page.waitForURL(/\/dcim\/devices\/\?/)
      expect(await content(person)).toContain('gr-router')
      await person.click(page.getByRole('link', { name: /^(Remove|Site)/ }).first())
      await page.waitForURL((url) => !url.search.includes('site_id'))
      expect(await content(person)).not.toContain('Site: Gull Rock')
    },
  },
  {
    name: 'bookmark',
    title: 'Bookmark a site and find it on the start page',
    task: 29,
    clicks: { desktop: 3, phone: 3 },
    run: async (person) => {
      const { page, size } = person
      const site = size === 'phone' ? 'Gull Rock Lighthouse' : 'Harbour House'
      await find(person, site, new RegExp(`^${site}`))
      await person.click(button(person, 'Bookmark'))
      await person.click(page.getByRole('link', { name: 'Cadastre' }))
      await page.getByRole('heading', { name: 'Bookmarks' }).waitFor()
      expect(await content(person)).toContain(site)
    },
  },
  {
    name: 'journal',
    title: 'Add a note to the journal of a device',
    task: 19,
    clicks: { desktop: 3, phone: 3 },
    // Two on the page of the device, as counted in the trial, and two to find it.
    netbox: 4,
    run: async (person) => {
      const { page } = person
      await jumpTo(person, 'gr-router', /^gr-router/)
      await person.click(linkTo(person, /^Journal/))
      await person.fill(page.locator('textarea[name=comments]'), 'Fan replaced')
      await person.click(button(person, 'Add entry'))
      await page.getByText('Fan replaced').first().waitFor()
    },
  },
  {
    name: 'image',
    title: 'Attach a photograph to a device',
    task: 19,
    clicks: { desktop: 3, phone: 3 },
    // Three on the page of the device, as counted in the trial, and two to find it.
    netbox: 5,
    run: async (person) => {
      const { page, api } = person
      await jumpTo(person, 'hh-switch', /^hh-switch/)
      await person.click(linkTo(person, /^Images/))
      const photograph = sharp({ create: { width: 480, height: 240, channels: 3, background: '#4a6b8a' } })
      const buffer = await photograph.png().toBuffer()
      await page.locator('input[name=image]').setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer })
      await person.click(button(person, 'Add image'))
      await page.getByText('The image was added.').waitFor()
      const { json } = await api.ask('GET', '/api/extras/image-attachments/?object_type=dcim.device')
      expect(json.count).toBeGreaterThan(0)
    },
  },
  {
    name: 'delete',
    title: 'See what is deleted with a device, and delete it',
    clicks: { desktop: 4, phone: 4 },
    run: async (person) => {
      const { page, api, size } = person
      const name = size === 'phone' ? 'rack-20' : 'rack-19'
      await find(person, name, name)
      await person.click(person.page.getByRole('main').locator('summary[aria-label="More actions"]'))
      await person.click(linkTo(person, 'Delete'))
      await page
        .getByRole('main')
        .getByText(/interfaces/i)
        .first()
        .waitFor()
      await person.click(button(person, /^Delete/))
      await page.waitForURL(/\/dcim\/devices\//)
      const { json } = await api.ask('GET', `/api/dcim/devices/?name=${name}`)
      expect(json.count).toBe(0)
    },
  },
  {
    name: 'mount',
    title: 'Add a device to a free place in a rack',
    clicks: { desktop: 7, phone: 7 },
    run: async (person) => {
      const { page, api, size } = person
      const name = `new-${size}`
      await find(person, 'gr-switch', 'gr-switch')
      await person.click(page.getByRole('main').locator('a[href*="/dcim/racks/"]').first())
      await page.waitForURL(/\/dcim\/racks\/\d+\/$/)
      await person.click(linkTo(person, size === 'phone' ? /^Add a device at U6\b/ : /^Add a device at U3\b/))
      await page.waitForURL(/\/dcim\/devices\/add\//)
      await person.type(page.getByLabel('Name', { exact: true }), name)
      const { json: role } = await api.ask('GET', '/api/dcim/device-roles/?limit=1')
      await person.choose(page.locator('select[name=role]'), String(role.results?.[0]?.display))
      const { json: type } = await api.ask('GET', '/api/dcim/device-types/?limit=1')
      await person.pick(page.locator('select[name=device_type]'), String(type.results?.[0]?.display))
      await person.click(button(person, /^Create Device/i))
      await page.waitForURL(/\/dcim\/devices\/\d+\//)
      const { json } = await api.ask('GET', `/api/dcim/devices/?name=${name}`)
      expect(json.results?.[0]).toMatchObject({ position: expect.any(Number), face: {} })
    },
  },
  {
    name: 'export',
    title: 'Export the columns that a filtered list shows',
    task: 8,
    clicks: { desktop: 4, phone: 6 },
    // Two in the list, as counted in the trial, two to open it, and one to filter it.
    netbox: 5,
    run: async (person) => {
      const { page } = person
      await goTo(person, 'Organization', 'Sites')
      await person.type(page.getByPlaceholder('Search in this list…'), 'gull')
      await person.press('Enter')
      await page.waitForURL(/q=gull/)
      await person.click(page.locator('summary', { hasText: /^Export/ }))
      const download = page.waitForEvent('download')
      await person.click(linkTo(person, 'Shown columns (CSV)'))
      const file = await readFile(await (await download).path(), 'utf8')
      expect(file.split(/\r?\n/)[0]).toContain('Name')
      expect(file).toContain('Gull Rock')
      expect(file).not.toContain('Harbour House')
      await page.locator('summary', { hasText: /^Export/ }).click()
    },
  },
  {
    name: 'columns',
    title: 'Show another column in a list',
    clicks: { desktop: 5, phone: 6 },
    run: async (person) => {
      const { page, size } = person
      const column = size === 'phone' ? 'Longitude' : 'Latitude'
      await openList(person, 'Organization', 'Sites')
      await person.click(page.locator('summary', { hasText: /^Columns/ }))
      await person.click(page.getByRole('checkbox', { name: column, exact: true }))
      await person.click(button(person, 'Save'))
      // On a phone, rows are cards without column headings.
      await page.locator('thead', { hasText: column }).waitFor({ state: 'attached' })
    },
  },
  {
    name: 'theme',
    title: 'Switch to the dark theme',
    clicks: { desktop: 2, phone: 2 },
    run: async (person) => {
      const { page } = person
      await person.click(page.locator('.user-menu > summary'))
      await person.click(page.getByRole('button', { name: 'Dark', exact: true }))
      await page.locator('html[data-theme="dark"]').waitFor()
    },
  },
]

tellStories('a working day', STORIES, async (api) => {
  const { json: role } = await api.ask('GET', '/api/dcim/device-roles/?limit=1&name=Router')
  const { json: type } = await api.ask('POST', '/api/dcim/device-types/', {
    body: { manufacturer: 1, model: 'Lantern R2', slug: 'lantern-r2' },
  })
  await api.ask('POST', '/api/dcim/interface-templates/', {
    body: Array.from({ length: 48 }, (_, port) => ({
      device_type: type.id,
      name: `port ${port}`,
      type: '10gbase-x-sfpp',
    })),
  })
  const devices = Array.from({ length: 20 }, (_, index) => ({
    name: `rack-${String(index + 1).padStart(2, '0')}`,
    role: role.results?.[0]?.id,
    device_type: type.id,
    site: 1,
  }))
  const { json: made } = await api.ask('POST', '/api/dcim/devices/', { body: devices })
  const first = Array.isArray(made) ? made[0]?.id : undefined
  const { json: ports } = await api.ask('GET', `/api/dcim/interfaces/?device_id=${first}&limit=48`)
  await api.ask('PATCH', '/api/dcim/interfaces/', {
    body: (ports.results ?? []).map(({ id }, port) => ({ id, name: `ge-0/0/${port}` })),
  })
  await api.ask('POST', '/api/dcim/mac-addresses/', {
    body: {
      mac_address: '02:00:5e:10:00:01',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: 1,
    },
  })
  await api.make('dcim/regions', { name: 'Shore', slug: 'shore' })
  const tag = await api.make('extras/tags', { name: 'Coastline', slug: 'coastline' })
  await api.ask('PATCH', '/api/dcim/devices/3/', { body: { serial: 'SN-20481', tags: [tag] } })
  await api.ask('PATCH', '/api/dcim/devices/4/', {
    body: { status: 'planned', changelog_message: 'Out of service for a day' },
  })
})
