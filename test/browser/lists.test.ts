import type { Locator, Page, Response } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Api } from '../support/api.ts'
import { createdId } from '../support/requests.ts'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

/** Compressed bytes of scripts and styles that a list page may have. */
const MOST_BYTES = 60_000

/** The search of a filter, in the menu of its name. */
const filter = async (page: Page, name: string): Promise<Locator> =>
  (await filterMenu(page, name)).getByRole('combobox', { name, exact: true })

async function filterMenu(page: Page, name: string): Promise<Locator> {
  const menu = page.locator('details.filter', { has: page.locator('summary', { hasText: new RegExp(`^${name}$`) }) })
  if (!(await menu.evaluate((details) => details.hasAttribute('open')))) await menu.locator('summary').click()
  return menu
}

/** Options that a search offers, once they have arrived. */
async function offered(page: Page): Promise<readonly string[]> {
  const list = page.getByRole('listbox', { name: 'Found' })
  await list.getByRole('option').first().waitFor()
  return await list.getByRole('option').locator('bdi').allTextContents()
}

const LONG_NAMED = { name: 'distribution-switch-of-the-second-floor' }

async function longNamedType(api: Api): Promise<number> {
  const manufacturer = await createdId(api, 'dcim/manufacturers', { name: 'Northern Light Networks', slug: 'northern' })
  return await createdId(api, 'dcim/device-types', { manufacturer, model: 'Catalyst 9200-48P-4X', slug: 'catalyst' })
}

/** A rack, a device, a prefix and a virtual machine with the number in their names, and long names all around. */
async function longNamedObjects(api: Api, number: string): Promise<void> {
  const named = async (path: string, fields = {}): Promise<number> =>
    await createdId(api, path, { name: `${path} of the northern harbour ${number}`, slug: `long-${number}`, ...fields })
  const tenant = await named('tenancy/tenants')
  const site = await named('dcim/sites')
  const location = await named('dcim/locations', { site })
  const place = { tenant, site, location }
  const rackRole = await named('dcim/rack-roles')
  const rack = await named('dcim/racks', { ...place, role: rackRole, facility_id: `Facility ${number} of the north` })
  const role = await named('dcim/device-roles')
  const manufacturer = await named('dcim/manufacturers')
  const type = await createdId(api, 'dcim/device-types', { manufacturer, model: `Catalyst ${number}`, slug: number })
  const device = { ...place, role, device_type: type, rack, position: 1, face: 'front', status: 'decommissioning' }
  await named('dcim/devices', device)
  await named('virtualization/virtual-machines', { tenant, site, memory: 131_072, disk: 4_000_000, vcpus: 16 })
  const prefixRole = await named('ipam/roles')
  const vlan = await createdId(api, 'ipam/vlans', { name: `Wireless of the northern harbour ${number}`, vid: 30 })
  const scope = { scope_type: 'dcim.location', scope_id: location }
  const prefix = { ...scope, tenant, vlan, role: prefixRole, status: 'deprecated', description: `Harbour ${number}` }
  await createdId(api, 'ipam/prefixes', { prefix: `2001:db8:${number}::/48`, ...prefix })
}

inBrowser('lists', () => {
  const { openSignedIn, api } = setUp()

  it('need at most 60 kB of scripts and styles', async () => {
    const page = await openSignedIn()
    const files: Response[] = []
    page.on('response', (response) => {
      if (['script', 'stylesheet'].includes(response.request().resourceType())) files.push(response)
    })
    await page.goto('/dcim/devices/', { waitUntil: 'networkidle' })
    const sizes = await Promise.all(files.map(async (file) => (await file.request().sizes()).responseBodySize))
    expect(files.length).toBeGreaterThan(5)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
  })

  it('have the same scroll position when the user goes back', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/interfaces/?limit=250')
    const position = () => page.locator('.in-list').evaluate(({ scrollTop }) => scrollTop)
    await page.locator('tbody tr').last().locator('td a').first().click()
    await page.waitForURL(({ search }) => !search.includes('limit'))
    await page.goBack()
    await expect.poll(position).toBeGreaterThan(0)
  })

  it('offer actions for several objects once objects are selected', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    const edit = page.locator('#selection').getByRole('button', { name: 'Edit' })
    await edit.waitFor({ state: 'hidden' })
    const box = page.locator('tbody input[type="checkbox"]').first()
    await box.check()
    await edit.waitFor()
    expect(await page.locator('#selection').textContent()).toContain('1 selected')
    await box.uncheck()
    await edit.waitFor({ state: 'hidden' })
  })

  it.each(['dcim/devices', 'dcim/interfaces', 'ipam/prefixes', 'dcim/sites', 'circuits/circuits'])(
    'of %s have rows of 32 pixels in a window of 1440 by 900, which does not scroll itself',
    async (path) => {
      const page = await openSignedIn({ viewport: { width: 1440, height: 900 } })
      await page.goto(`/${path}/`)
      const heights = await page
        .locator('.in-list tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
      expect(new Set(heights)).toEqual(new Set([32]))
      const table = await page.locator('.in-list').boundingBox()
      // Twenty rows below the head of the table, and the line with the pager.
      expect(900 - 44 - 32 - (table?.y ?? 900)).toBeGreaterThanOrEqual(20 * 32)
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(900)
    },
  )

  it('are filtered while the user types, and by check boxes, without loading another page', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    await page.evaluate('window.isSamePage = true')
    await page.getByPlaceholder('Search in this list…').fill('gr-')
    const names = () => page.getByRole('rowheader').allTextContents()
    await expect.poll(async () => (await names()).every((name) => name.startsWith('gr-'))).toBe(true)
    const found = (await names()).length
    await (await filterMenu(page, 'Status')).getByRole('checkbox', { name: 'Planned' }).check()
    await expect.poll(async () => (await names()).length).toBeLessThan(found)
    expect(new URL(page.url()).search).toMatch(/q=gr-/)
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    // An active filter is changed in the control where it was set.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Status: Planned/ }).click()
    await page.getByRole('checkbox', { name: 'Planned' }).uncheck()
    await expect.poll(async () => (await names()).length).toBe(found)
  })

  it('within the page of an object are searched while the user types', async () => {
    const [words, others] = ['mgmt', 'lan0']
    const page = await openSignedIn()
    await page.goto('/dcim/devices/1/interfaces/')
    const names = async () => (await page.getByRole('rowheader').allTextContents()).map((name) => name.trim())
    expect(await names()).toContain(others)
    await page.evaluate('window.isSamePage = true')
    const input = page.getByPlaceholder('Search in this list…')
    await input.fill(words)
    await expect.poll(names).not.toContain(others)
    expect((await names()).every((name) => name.includes(words))).toBe(true)
    await input.fill('no such name')
    await page.getByText('Nothing matches these filters.').waitFor()
    await input.fill('')
    await expect.poll(names).toContain(others)
    expect(await page.evaluate('window.isSamePage')).toBe(true)
  })

  it('have all other filters behind one button with a search', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    const menu = page.locator('.all-filters')
    await menu.locator('summary').first().click()
    await menu.getByPlaceholder('Find a filter…').fill('manuf')
    await page.keyboard.press('Enter')
    await menu.getByRole('combobox', { name: 'Manufacturer' }).waitFor()
    expect(await menu.locator('.one:visible').count()).toBe(1)
  })

  it('have a menu to choose columns', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/racks/')
    await page.locator('summary', { hasText: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Asset tag' }).check()
    await page.locator('.columns-form').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Asset tag' }).waitFor()
  })

  it('get narrower columns until the last one is in view', async () => {
    await createdId(api(), 'dcim/devices', { ...LONG_NAMED, site: 1, role: 1, device_type: await longNamedType(api()) })
    const page = await openSignedIn({ viewport: { width: 1440, height: 900 } })
    await page.goto(`/dcim/devices/?name=${LONG_NAMED.name}&name=hh-switch`, { waitUntil: 'load' })
    const hidden = () => page.locator('.in-list').evaluate((table) => table.scrollWidth - table.clientWidth)
    await expect.poll(hidden).toBeLessThanOrEqual(0)
    expect(await page.getByRole('columnheader', { name: 'IP address' }).isVisible()).toBe(true)
  })

  // The demo's own names are short, so that everything fits.
  it.each([1280, 1440])('shorten only names in a window of %i pixels', async (width) => {
    await longNamedObjects(api(), `${width}`)
    const page = await openSignedIn({ viewport: { width, height: 900 } })
    for (const path of [
      'dcim/racks',
      'ipam/prefixes',
      'dcim/devices',
      'virtualization/virtual-machines',
      'core/jobs',
    ]) {
      await page.goto(`/${path}/?q=${path.startsWith('core') ? '' : width}`, { waitUntil: 'load' })
      const cells = page.locator('.in-list td:is(.num, .mono, :has(> :is(.badge, time, .yes, .no, .utilization-cell)))')
      const texts = await cells.evaluateAll((all) =>
        all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent),
      )
      expect({ path, clipped: texts }).toEqual({ path, clipped: [] })
      expect(path === 'core/jobs' || (await cells.count()) > 0).toBe(true)
    }
  })

  it.each(['/ipam/vlans/', '/ipam/vlan-groups/1/', '/ipam/aggregates/1/'])(
    'have the heading of their first column above its values: %s',
    async (path) => {
      const page = await openSignedIn({ viewport: { width: 1280, height: 900 } })
      await page.goto(path)
      const distance = await page.evaluate<number>(`(() => {
        const left = (selector) => {
          const cell = document.querySelector('main .objects-table ' + selector)
          const range = document.createRange()
          range.selectNodeContents(cell.querySelector('a') ?? cell)
          return range.getBoundingClientRect().left
        }
        return Math.abs(left('thead th:not(.select)') - left('tbody th[scope="row"]'))
      })()`)
      expect(distance).toBeLessThanOrEqual(2)
    },
  )

  it('name the column of each value on a phone', async () => {
    const page = await openSignedIn({ viewport: { width: 390, height: 844 } })
    await page.goto('/dcim/devices/')
    const site = page.locator('tbody tr', { hasText: 'hh-router' }).locator('td[data-label="Site"]')
    expect(await site.textContent()).toBe('Harbour House')
    const before = `getComputedStyle(document.querySelector('td[data-label="Site"]'), '::before').content`
    expect(await page.evaluate<string>(before)).toContain('Site')
  })

  it('keep the actions on selected rows in view on a phone', async () => {
    const page = await openSignedIn({ viewport: { width: 390, height: 844 } })
    await page.goto('/dcim/devices/')
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check()
    const edit = page.getByRole('button', { name: 'Edit', exact: true })
    const inView = async () => {
      const box = await edit.boundingBox()
      return box !== null && box.y > 0 && box.y + box.height <= 844
    }
    await expect.poll(inView).toBe(true)
    await page.mouse.wheel(0, 600)
    await expect.poll(async () => await page.evaluate<number>('scrollY')).toBeGreaterThan(300)
    expect(await inView()).toBe(true)
  })

  it('are followed by an undo that shows both values on a phone', async () => {
    const page = await openSignedIn({ viewport: { width: 390, height: 844 } })
    await api().ask('PATCH', '/api/dcim/devices/1/', { body: { description: 'After', comments: 'After' } })
    const { json } = await api().ask('GET', '/api/core/object-changes/?limit=1')
    await page.goto(`/core/changelog/${json.results?.[0]?.id}/undo/`)
    for (const name of ['before', 'after']) {
      const box = await page.locator(`.change-table td.${name}`).first().boundingBox()
      expect(Number(box?.x) + Number(box?.width), name).toBeLessThanOrEqual(390)
    }
  })

  it('let the rows below a node of a tree be collapsed', async () => {
    const page = await openSignedIn()
    await page.goto('/ipam/prefixes/')
    const fold = page.getByRole('button', { name: /^Rows within/ }).first()
    const rows = page.locator('.in-list tbody tr:visible')
    const before = await rows.count()
    await fold.click()
    expect(await rows.count()).toBeLessThan(before)
    await fold.click()
    expect(await rows.count()).toBe(before)
  })

  it('offer choices in a filter that match the filters before it', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    await (await filter(page, 'Rack')).click()
    const all = await offered(page)
    await (await filter(page, 'Site')).fill('gull')
    await page.getByRole('option', { name: /^Gull Rock/ }).click()
    await (await filter(page, 'Rack')).click()
    await expect.poll(async () => (await offered(page)).length).toBeLessThan(all.length)
    await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().click()
    await page.waitForURL(/site_id=\d+&rack_id=\d+/)
    expect(await page.getByRole('rowheader').allTextContents()).toContain('gr-router')
  })

  it('offer choices when several objects are edited that match the other fields', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    await page.getByRole('checkbox', { name: /^Select gr-router/ }).check()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('combobox', { name: 'Site', exact: true }).fill('harb')
    await page.getByRole('option', { name: /^Harbour House/ }).click()
    await page.getByRole('combobox', { name: 'Location', exact: true }).click()
    const own = await offered(page)
    await page.getByRole('combobox', { name: 'Site', exact: true }).fill('')
    await page.getByRole('combobox', { name: 'Location', exact: true }).click()
    await expect.poll(async () => (await offered(page)).length).toBeGreaterThan(own.length)
  })

  it.each([
    ['wide', 1440],
    ['narrow', 390],
  ])('and tabs of objects have no vertical scroll bar of their own in a %s window', async (_name, width) => {
    const page = await openSignedIn({ viewport: { width, height: 844 } })
    await page.goto('/dcim/devices/1/')
    const styles = await page
      .locator('.tabs > ul')
      .evaluate((list) => list.ownerDocument.defaultView?.getComputedStyle(list).overflowY)
    expect(styles).toBe('hidden')
  })
})
