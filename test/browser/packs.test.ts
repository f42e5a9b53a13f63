import { expect, it } from 'vitest'
import { choose, setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

inBrowser('packs', () => {
  const { api, openSignedIn } = setUp()

  it('a pack is switched on, an object of it is added to a device, and it is switched off again', async () => {
    const page = await openSignedIn({ viewport: { width: 1280, height: 800 } })
    const main = page.getByRole('main')
    await page.goto('/')
    await page.keyboard.press('ControlOrMeta+K')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('packs')
    await page.getByRole('option', { name: /^Packs\b/ }).click()
    await main.getByRole('link', { name: 'Switch on: Access lists' }).click()
    await main.getByRole('button', { name: 'Switch on' }).click()
    await main.locator('.pack-lists').getByRole('link', { name: 'Access lists' }).click()
    await main.getByRole('link', { name: 'Add access list' }).first().click()
    await main.getByLabel('Name *').fill('EDGE-IN')
    await choose(main.locator('[name="type"]'), 'Standard')
    await main.getByRole('button', { name: 'Create access list' }).click()
    await main.getByRole('heading', { level: 1, name: 'EDGE-IN' }).waitFor()

    const device = (await api().ask('GET', '/api/dcim/devices/?name=hh-router')).json.results?.[0]?.id
    await page.goto(`/dcim/devices/${device}/`)
    await main.locator('summary', { hasText: 'Add' }).first().click()
    await main.getByRole('link', { name: 'ACL assignment', exact: true }).click()
    await choose(main.locator('[name="access_list"]'), 'EDGE-IN')
    await choose(main.locator('[name="direction"]'), 'N/A')
    await main.getByRole('button', { name: 'Create ACL assignment' }).click()
    await page.waitForURL(new RegExp(`/dcim/devices/${device}/`))
    await main.locator('.overview').getByRole('link', { name: 'EDGE-IN: Object hh-router' }).waitFor()

    await page.goto('/core/packs/')
    await main.getByRole('link', { name: 'Switch off: Access lists' }).click()
    expect(await main.textContent()).toMatch(/Its data stays\.\s*1 access list\s*1 ACL assignment/)
    await main.getByRole('button', { name: 'Switch off' }).click()
    await main.getByRole('link', { name: 'Switch on: Access lists' }).waitFor()
    await page.goto(`/dcim/devices/${device}/`)
    expect(await main.textContent()).not.toContain('ACL')
  })
})
