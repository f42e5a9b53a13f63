import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

/** Sum of the shares of the window that have moved after they were drawn, as browsers count them. */
const MOST_SHIFT = 0.02

const PAGES = [
  '/',
  '/dcim/devices/',
  '/dcim/racks/',
  '/ipam/prefixes/',
  '/dcim/interfaces/?limit=250',
  '/dcim/sites/1/',
  '/dcim/devices/1/',
  '/dcim/devices/1/interfaces/',
  '/dcim/devices/1/edit/',
  '/dcim/devices/add/',
  '/dcim/cables/add/',
  '/virtualization/interfaces/add/',
  '/extras/event-rules/add/',
  '/core/config-revisions/',
]

const COUNT_SHIFTS = `
  window.shift = 0
  window.moved = []
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      window.shift += value
      for (const { node } of sources) window.moved.push((node?.outerHTML ?? node?.textContent ?? '').slice(0, 80))
    }
  }).observe({ type: 'layout-shift', buffered: true })`

async function shiftOf(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: 'networkidle' })
  return await page.evaluate<number>('window.shift')
}

const placeOfFirstSubject = (page: Page): Promise<number | undefined> =>
  page
    .locator('.sidebar > details')
    .first()
    .boundingBox()
    .then((box) => box?.y)

inBrowser('pages that have been drawn', () => {
  const { openSignedIn } = setUp()

  it.each([1280, 390])('stay as they are in a window of %i pixels', async (width) => {
    const page = await openSignedIn({ viewport: { width, height: 900 } })
    await page.addInitScript(COUNT_SHIFTS)
    const moved: Record<string, unknown> = {}
    for (const path of PAGES) {
      const shift = await shiftOf(page, path)
      if (shift > MOST_SHIFT) moved[path] = [shift, await page.evaluate('window.moved')]
    }
    expect(moved).toEqual({})
  })

  it('have the menu in the same place, whatever was opened before', async () => {
    const page = await openSignedIn({ viewport: { width: 1280, height: 900 } })
    const places: (number | undefined)[] = []
    for (const path of ['/dcim/sites/1/', '/dcim/devices/1/', '/ipam/prefixes/1/', '/dcim/racks/1/', '/']) {
      await page.goto(path, { waitUntil: 'networkidle' })
      places.push(await placeOfFirstSubject(page))
    }
    expect(new Set(places).size).toBe(1)
  })

  it('keep their rows where they are when a value is changed in place', async () => {
    const page = await openSignedIn({ viewport: { width: 1280, height: 900 } })
    await page.goto('/dcim/sites/?ordering=name', { waitUntil: 'networkidle' })
    await page.evaluate('window.isSamePage = true')
    const row = page.locator('.in-list tbody tr').nth(1)
    const before = await row.boundingBox()
    await row.locator('.badge').dblclick()
    await page.locator('.inline-edit').getByRole('combobox').fill('Staging')
    await page.keyboard.press('Enter')
    await page.locator('.toast').getByRole('link', { name: 'Undo' }).waitFor()
    expect(await row.locator('.badge').textContent()).toBe('Staging')
    expect(await row.boundingBox()).toEqual(before)
    expect(await page.evaluate('window.isSamePage')).toBe(true)
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
    expect(await page.locator('.toast').count()).toBe(0)
  })
})
