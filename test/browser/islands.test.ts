import { expect, it } from 'vitest'
import { setUp, startTemplates } from './browser.ts'
import { inBrowser } from './chromium.ts'

inBrowser('islands with the keyboard alone', () => {
  const { openSignedIn, api } = setUp()

  it('the menu shows the entry of the page, which opens at its top', async () => {
    const page = await openSignedIn()
    await page.setViewportSize({ width: 1280, height: 480 })
    await page.goto('/extras/event-rules/add/', { waitUntil: 'networkidle' })
    expect(await page.evaluate('[document.documentElement.scrollHeight > innerHeight, scrollY]')).toEqual([true, 0])
    const entry = await page.locator('.sidebar [aria-current]').boundingBox()
    expect((entry?.y ?? 480) + (entry?.height ?? 0)).toBeLessThanOrEqual(480)
  })

  it('a device can be moved to places where it fits, and back by Undo', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/racks/1/')
    const status = page.locator('.rack-status')
    await page.getByRole('button', { name: 'Move hh-switch' }).first().focus()
    await page.keyboard.press('Enter')
    for (const [key, place] of [
      ['ArrowDown', 'HH-1, U10, front'],
      ['ArrowDown', 'HH-1, U9, front'],
      ['ArrowRight', 'HH-1, U9, rear'],
      ['ArrowLeft', 'HH-1, U9, front'],
    ] as const) {
      await page.keyboard.press(key)
      await status.getByText(place).waitFor()
    }
    await page.keyboard.press('Enter')
    await status.getByText('Moved hh-switch to HH-1, U9, front.').waitFor()
    const saved = await api().ask('GET', '/api/dcim/devices/2/')
    expect(saved.json.position).toBe(9)
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Move hh-switch')
    await status.getByRole('button', { name: 'Undo' }).press('Enter')
    await status.getByText('hh-switch is back in its saved position.').waitFor()
    expect((await api().ask('GET', '/api/dcim/devices/2/')).json.position).toBe(11)
  })

  it('Escape leaves the device where it is', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/racks/1/')
    await page.getByRole('button', { name: 'Move hh-switch' }).first().press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await page.getByText('hh-switch stays where it is.').waitFor()
    expect(await page.locator('.rack-ghost').count()).toBe(0)
  })

  it('a refusal is shown at the place, and the device returns', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/racks/1/')
    // The page does not know yet that another user has taken the unit.
    await api().ask('PATCH', '/api/dcim/devices/1/', { body: { position: 6 } })
    await page.getByRole('button', { name: 'Move hh-switch' }).first().press('Enter')
    await page.locator('[data-free="6"][data-face="front"] a').click()
    await page
      .getByRole('alert')
      .getByText(/U6|position/i)
      .waitFor()
    expect((await api().ask('GET', '/api/dcim/devices/2/')).json.position).toBe(11)
    await api().ask('PATCH', '/api/dcim/devices/1/', { body: { position: 12 } })
  })

  it('the menu of custom links is filled when it is opened', async () => {
    await startTemplates(api())
    const body = {
      ...{ name: 'monitoring', object_types: ['dcim.site'], group_name: 'Tools' },
      ...{ link_text: 'Watch {{ object.name }}', link_url: 'journal/' },
    }
    const { json } = await api().ask('POST', '/api/extras/custom-links/', { body })
    const page = await openSignedIn()
    await page.goto('/dcim/sites/1/changelog/')
    const menu = page.locator('summary', { hasText: 'Tools' })
    await menu.press('Enter')
    const link = page.getByRole('link', { name: /^Watch / })
    await link.waitFor()
    expect(await page.locator('[data-custom-links]').count()).toBe(0)
    await link.press('Enter')
    await page.waitForURL('**/dcim/sites/1/journal/')
    await api().ask('DELETE', `/api/extras/custom-links/${Number(json.id)}/`)
  })

  it('the levels of a prefix can be collapsed', async () => {
    const page = await openSignedIn()
    await page.goto('/ipam/prefixes/1/')
    const inner = page.getByRole('row', { name: /^10\.20\.1\.64\/26/ })
    await inner.waitFor()
    const fold = page.getByRole('button', { name: 'Prefixes within 10.20.1.0/24' })
    await fold.press('Enter')
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    expect(await inner.isVisible()).toBe(false)
  })
})
