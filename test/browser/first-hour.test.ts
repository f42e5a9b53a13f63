import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, setUp, signIn } from './browser.ts'
import { inBrowser } from './chromium.ts'

const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 780 },
} as const

inBrowser('the first hour', () => {
  const { open, api } = setUp({}, true)

  const main = (page: Page) => page.getByRole('main')
  const link = (page: Page, name: string | RegExp) => main(page).getByRole('link', { name }).first()
  const fieldNamed = (page: Page, name: string) => main(page).locator(`[name="${name}"]`).first()

  /** Takes the next step of the list on the start page. */
  async function step(page: Page, name: string, done: number): Promise<void> {
    await page.getByRole('link', { name: 'Cadastre' }).click()
    await page.getByText(`${done} of 6 done`).waitFor()
    await link(page, new RegExp(`^${name}$`)).click()
    await page.waitForURL(/\/add\//)
  }

  /** Fills in the form of an object, and sends it. */
  async function create(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      const input = fieldNamed(page, name)
      const isList = (await input.evaluate(({ tagName }) => tagName)) === 'SELECT'
      if (isList) await choose(input, value)
      else await input.fill(value)
    }
    await main(page).locator('.buttons button[name="_save"]').click()
    await page.waitForURL((url) => !/\/(add|edit)\//.test(url.pathname))
  }

  /** Creates the object that a field lacks, in a tab beside the form, with the words that match nothing as its name. */
  async function createBeside(page: Page, field: string, name: string): Promise<void> {
    const place = page.locator(`[data-field="${field}"]`)
    await place.getByRole('combobox').fill(name)
    await page.keyboard.press('Tab')
    const opened = page.waitForEvent('popup')
    await place.getByRole('link', { name: `Create “${name}”` }).click()
    const tab = await opened
    const closed = tab.waitForEvent('close')
    await tab.locator('.buttons button[name="_save"]').click()
    await closed
    await expect.poll(() => place.locator('select option:checked').textContent()).toContain(name)
  }

  it.each(['desktop', 'phone'] as const)(
    'leads from the login to a cabled device with an address: %s',
    async (size) => {
      for (const path of [
        'dcim/cables',
        'ipam/prefixes',
        'dcim/devices',
        'dcim/device-types',
        'dcim/racks',
        'dcim/sites',
      ]) {
        const { json } = await api().ask('GET', `/api/${path}/`)
        const body = (json.results ?? []).map(({ id }) => ({ id }))
        if (body.length > 0) await api().ask('DELETE', `/api/${path}/`, { body })
      }
      const page = await open({ viewport: SIZES[size] })
      await page.goto('/')
      await page.waitForURL(/\/login\//)
      await signIn(page)

      await step(page, 'Add site', 0)
      await create(page, { name: `Pier ${size}` })
      await step(page, 'Add rack', 1)
      await create(page, { name: `R-${size}`, site: `Pier ${size}` })
      await step(page, 'Add device type', 2)
      await createBeside(page, 'manufacturer', `Maker ${size}`)
      await create(page, { model: `Switch ${size}` })
      await main(page).locator('summary', { hasText: 'Add' }).first().click()
      await link(page, /^Interface/).click()
      await create(page, { name: 'eth[0-3]', type: '1000BASE-T (1GE)' })

      await step(page, 'Add device', 3)
      await createBeside(page, 'role', `Role ${size}`)
      await create(page, { name: `sw1-${size}`, device_type: `Switch ${size}`, site: `Pier ${size}` })
      await page.goto('/dcim/devices/add/')
      await create(page, {
        ...{ name: `sw2-${size}`, role: `Role ${size}` },
        ...{ device_type: `Switch ${size}`, site: `Pier ${size}` },
      })

      await step(page, 'Add prefix', 4)
      await create(page, { prefix: '192.0.2.0/24' })

      await step(page, 'Add cable', 5)
      await page.goto('/dcim/devices/')
      await link(page, `sw1-${size}`).click()
      await link(page, /^Interfaces/).click()
      await link(page, 'Add IP address: eth0').click()
      await create(page, { address: '192.0.2.1/24' })
      await link(page, 'Connect eth1').click()
      await page.getByRole('searchbox', { name: 'Device and port' }).fill(`sw2-${size} eth1`)
      await page
        .getByRole('link', { name: /^Choose / })
        .first()
        .click()
      await page.locator('search.far-end').waitFor({ state: 'detached' })
      await main(page).locator('.buttons button[name="_save"]').click()
      await page.waitForURL((url) => !/\/add\//.test(url.pathname))

      await page.getByRole('link', { name: 'Cadastre' }).click()
      await page.locator('.first-steps').waitFor({ state: 'detached' })
      const ports = await api().ask('GET', `/api/dcim/interfaces/?device=sw1-${size}&ordering=name`)
      const [eth0, eth1] = ports.json.results ?? []
      expect(eth0).toMatchObject({ name: 'eth0', count_ipaddresses: 1 })
      expect(eth1?.connected_endpoints).toMatchObject([{ name: 'eth1', device: { name: `sw2-${size}` } }])
    },
  )
})
