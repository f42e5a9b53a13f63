import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp, shownJson, signIn } from './browser.ts'
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

  it('goes from the first page to a device, along the URLs of the responses', async () => {
    const page = await openSignedIn()
    await page.goto('/api/')
    const link = (path: RegExp) => page.getByLabel('JSON', { exact: true }).getByRole('link', { name: path }).first()
    await link(/\/api\/dcim\/$/).click()
    await link(/\/api\/dcim\/devices\/$/).click()
    await page.waitForURL(/\/api\/dcim\/devices\/$/)
    await link(/\/api\/dcim\/devices\/\d+\/$/).click()
    await page.waitForURL(/\/api\/dcim\/devices\/\d+\/$/)
    const { display } = await shownJson(page)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(display)
    await page.getByRole('link', { name: 'Page of this object' }).click()
    await page.waitForURL(/[^i]\/dcim\/devices\/\d+\/$/)
  })

  it('goes through the pages of a list', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/devices/?limit=3&ordering=-name')
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(/offset=3/)
    expect(await page.getByLabel('Pages').textContent()).toContain('4–6 of 38')
  })

  it('reaches the search with the slash key', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/devices/')
    await page.keyboard.press('/')
    await page.keyboard.type('gr-')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search\/\?q=gr-/)
  })

  it('sees the number of stored objects on the first page', async () => {
    const page = await openSignedIn()
    await page.goto('/')
    const devices = page.getByRole('listitem').filter({ hasText: /^Devices/ })
    expect(await devices.textContent()).toBe('Devices 38')
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
    expect(await body.textContent()).toContain('"count": 5')
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
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Page not found')
  })

  it('goes through pages without scripts', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto('/login/?next=/api/dcim/devices/?limit=3')
    await signIn(page)
    await page.getByRole('link', { name: 'Next' }).click()
    expect(new URL(page.url()).search).toBe('?limit=3&offset=3')
  })

  it.each([
    '/api/',
    '/api/dcim/devices/1/',
    '/api/dcim/devices/99999/',
    '/dcim/devices/1/',
    '/dcim/sites/map/',
    '/dcim/topology/?site_id=1',
  ])('sees the same colors at %s, whether the system is dark or the user has chosen so', async (path) => {
    const page = await openSignedIn({ colorScheme: 'dark' })
    await page.goto(path)
    const colors = () =>
      page.evaluate<readonly string[]>(`[...new Set([...document.querySelectorAll('body, body *')].map((element) => {
        const { color, backgroundColor, fill } = getComputedStyle(element)
        return [element.localName, element.className.baseVal ?? element.className, color, backgroundColor, fill].join(' ')
      }))].toSorted()`)
    const dark = await colors()
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await colors()).not.toEqual(dark)
    await page.context().addCookies([{ name: 'theme', value: 'dark', url: api().url }])
    await page.reload()
    expect(await colors()).toEqual(dark)
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
    ]) {
      await page.goto(path)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, path).toBeLessThanOrEqual(360)
    }
  })
})
