import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

inBrowser('objects that a form lacks', () => {
  const { openSignedIn } = setUp()

  it.each([
    { form: '/dcim/devices/add/', field: 'role', values: { name: 'Beacon', color: 'ff5722' } },
    { form: '/ipam/prefixes/add/', field: 'vrf', values: { name: 'Beacon' } },
  ])('are created in another tab, and chosen: $field', async ({ form, field, values }) => {
    const page = await openSignedIn()
    await page.goto(form)
    const place = page.locator(`[data-field="${field}"]`)
    const opened = page.waitForEvent('popup')
    await place.locator('a.create').click()
    const tab = await opened
    for (const [name, value] of Object.entries(values)) await tab.locator(`[name="${name}"]`).fill(value)
    const closed = tab.waitForEvent('close')
    await tab.locator('.buttons button[name="_save"]').click()
    await closed
    const chosen = place.locator('select option:checked')
    await expect.poll(() => chosen.textContent()).toContain('Beacon')
    expect(Number(await place.locator('select').inputValue())).toBeGreaterThan(0)
  })
})
