import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { firstFound, jsonInView, setUp, signIn } from './browser.ts'
import { inBrowser } from './chromium.ts'

inBrowser('a visitor', () => {
  const { open, openSignedIn, api } = setUp()

  it('is sent to the login page and back when not signed in', async () => {
    const page = await open()
    const answer = await page.goto('/api/dcim/sites/?limit=2')
    expect(answer?.status()).toBe(403)
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await signIn(page)
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/api/dcim/sites/?limit=2')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sites')
  })

  it('is told that another tab has chosen another branch, once and only there', async () => {
    for (const name of ['Swap', 'Second']) await api().make('core/branches', { name })
    const first = await openSignedIn()
    const second = await first.context().newPage()
    const told = (page: Page) => page.getByText('in another tab', { exact: false })
    const choose = async (page: Page, name: string) => {
      await page.locator('.branch-menu summary').click()
      await page.locator('.branch-menu').getByRole('button', { name, exact: true }).click()
      await page.waitForLoadState()
    }
    await first.goto('/dcim/sites/')
    await choose(first, 'Swap')
    expect(await told(first).count()).toBe(0)
    await second.goto('/dcim/racks/')
    await choose(second, 'Second')
    expect(await told(second).count()).toBe(0)
    await first.goto('/dcim/devices/')
    expect(await told(first).textContent()).toBe('You have switched to Second in another tab.')
    await first.goto('/dcim/racks/')
    expect(await told(first).count()).toBe(0)
    await first.goto('/dcim/racks/?branch=')
    expect(await told(first).count()).toBe(0)
  })

  it('goes from the first page to a device and on to its interfaces', async () => {
    const page = await openSignedIn()
    await page.goto('/api/')
    await page.getByRole('main').getByRole('link', { name: 'Devices', exact: true }).click()
    await page.getByRole('link', { name: 'hh-switch', exact: true }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('hh-switch')
    expect(await jsonInView(page, 'JSON')).toMatchObject({ display: 'hh-switch' })
    await page.getByRole('link', { name: 'Read', exact: true }).click()
    await page.getByRole('complementary').getByRole('link', { name: 'Interfaces', exact: true }).click()
    expect(page.url()).toContain('/api/dcim/interfaces/?device_id=')
    expect(await page.getByRole('rowheader').count()).toBeGreaterThan(2)
  })

  it('follows the URLs in a response', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/devices/?name=hh-router&_view=json')
    const json = page.getByLabel('JSON', { exact: true })
    await json
      .getByRole('link', { name: /\/api\/dcim\/sites\/\d+\/$/ })
      .first()
      .click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Harbour House')
  })

  it('filters by a related object, a choice and a part of the name', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/devices/')
    await page.getByText('Filters', { exact: false }).first().click()
    const site = page.getByRole('combobox', { name: 'Site', exact: true })
    await site.fill('harb')
    await page.getByRole('option', { name: 'Harbour House' }).click()
    await page.getByRole('combobox', { name: 'Status', exact: true }).fill('acti')
    await page.getByRole('option', { name: 'Active' }).click()
    await page.getByLabel('Name: comparison').selectOption('contains')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('ROUTER')
    await page.getByRole('button', { name: 'Show' }).first().click()
    await page.waitForURL(/name__ic/)
    const query = new URL(page.url()).searchParams
    expect(Object.fromEntries(query)).toEqual({
      name__ic: 'ROUTER',
      site: 'harbour-house',
      status: 'active',
      limit: '50',
    })
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['hh-router'])
    await page.getByRole('link', { name: /^Site is harbour-house/ }).click()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(3)
  })

  it('orders a list and goes through its pages', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/devices/?limit=3')
    await page.getByLabel('Order').selectOption('-name')
    await page.getByRole('button', { name: 'Show' }).first().click()
    await page.waitForURL(/ordering=-name/)
    await page.goto('/api/dcim/devices/?limit=3&ordering=-name')
    const first = await page.getByRole('rowheader').allTextContents()
    await page.getByRole('link', { name: 'Next' }).first().click()
    await page.waitForURL(/offset=3/)
    const second = await page.getByRole('rowheader').allTextContents()
    expect([...first, ...second]).toEqual([...first, ...second].sort().reverse())
    expect(await page.getByLabel('Pages').first().textContent()).toContain('4–6 of 7')
  })

  it('reaches the search with the slash key, and choices with the arrow keys', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/devices/')
    await page.keyboard.press('/')
    await page.keyboard.type('gr-')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search\/\?q=gr-/)
    await page.goto('/api/dcim/devices/?_view=new')
    await page.getByRole('combobox', { name: /^Site/ }).click()
    await firstFound(page).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('select[name="site"]').inputValue()).not.toBe('')
  })

  it('reads the description that OPTIONS returns', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/sites/')
    const options = await jsonInView(page, 'Options')
    expect(options).toMatchObject({ name: 'Site List', actions: { POST: {} } })
  })

  it('sees a drawing of a rack, and the path of a cable', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/racks/1/')
    const drawing = page.getByRole('img', { name: 'Elevation, front' })
    await drawing.scrollIntoViewIfNeeded()
    await expect.poll(() => widthOf(drawing)).toBeGreaterThan(100)
    await page.goto('/api/dcim/interfaces/?cabled=true&limit=1')
    await page.getByRole('rowheader').first().getByRole('link').click()
    const trace = page.getByRole('img', { name: 'Trace' })
    await trace.scrollIntoViewIfNeeded()
    await expect.poll(() => widthOf(trace)).toBeGreaterThan(100)
  })

  it('sees the number of stored objects on the first page', async () => {
    const page = await openSignedIn()
    await page.goto('/')
    const devices = page.getByRole('listitem').filter({ hasText: /^Devices/ })
    expect(await devices.textContent()).toBe('Devices 7')
  })

  it('sees no numbers when not signed in', async () => {
    const page = await open()
    await page.goto('/')
    expect(await page.getByRole('heading', { name: 'What is stored' }).count()).toBe(0)
  })

  it('tries out an operation in the documentation, and goes back', async () => {
    const page = await openSignedIn()
    await page.goto('/api/schema/swagger-ui/#/sites/dcim_sites_list')
    const operation = page.locator('#operations-sites-dcim_sites_list')
    await operation.getByText('List sites').waitFor()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.getByRole('button', { name: 'Execute' }).click()
    const body = operation.locator('.live-responses-table .highlight-code code').first()
    expect(await body.textContent()).toContain('"count": 3')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API', exact: true }).click()
    await page.waitForURL(/\/api\/$/)
  })

  it('tries out a write in the documentation with its example, without a token', async () => {
    const page = await openSignedIn()
    await page.goto('/api/schema/swagger-ui/#/sites/dcim_sites_create')
    const operation = page.locator('#operations-sites-dcim_sites_create')
    await operation.getByRole('button', { name: 'Try it out' }).click()
    expect(JSON.parse(await operation.locator('textarea.body-param__text').inputValue())).toMatchObject({
      name: 'site-1',
      slug: 'site-1',
      status: 'active',
    })
    await operation.getByRole('combobox').first().selectOption('true')
    await operation.getByRole('button', { name: 'Execute' }).click()
    const body = operation.locator('.live-responses-table .highlight-code code').first()
    expect(await body.textContent()).toContain('"name": "site-1"')
  })

  it('sees that a page does not exist', async () => {
    const page = await open()
    const answer = await page.goto('/api/dcim/nothing/')
    expect(answer?.status()).toBe(404)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not found')
  })

  it('reads, filters and goes through pages without scripts', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto('/login/?next=/api/dcim/devices/')
    await signIn(page)
    await page.locator('summary', { hasText: 'Filters' }).first().click()
    await page.getByRole('textbox', { name: 'Site', exact: true }).fill('harbour-house')
    await page.getByLabel('Per page').selectOption('25')
    await page.getByRole('button', { name: 'Show' }).first().click()
    expect(new URL(page.url()).search).toBe('?limit=25&site=harbour-house')
    expect(await page.getByRole('rowheader').count()).toBe(3)
  })

  it('never has to scroll a page sideways on a phone', async () => {
    const page = await openSignedIn({ viewport: { width: 360, height: 740 } })
    for (const path of [
      '/',
      '/dcim/devices/',
      '/dcim/devices/1/',
      '/dcim/devices/1/edit/',
      '/user/notifications/',
      '/api/',
      '/api/dcim/devices/',
      '/api/dcim/devices/1/',
      '/api/dcim/devices/1/?_view=change',
    ]) {
      await page.goto(path)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(360)
    }
  })
})

/** Width of a picture in pixels, regardless of the layout; 0 until it is loaded. */
const widthOf = (image: Locator): Promise<number> =>
  image.evaluate((element) => ('naturalWidth' in element ? Number(element.naturalWidth) : 0))
