import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

/** The printed area of A4 across, in pixels. */
const SHEET = { width: 1032, height: 703 }

/** What is only for screens. */
const CONTROLS = 'nav, header.top, form[role="search"], button, .button, select, input, [role="status"]:not(:empty)'

interface Printed {
  /** Controls that are visible. */
  readonly controls: readonly string[]
  /** Cells whose content is cut off or beyond the sheet. */
  readonly cut: readonly string[]
  /** Texts that are lighter than their background, and their colours. */
  readonly pale: readonly string[]
  /** Bottom of the first table or drawing. */
  readonly firstEnd: number
}

const printed = (page: Page): Promise<Printed> =>
  page.evaluate(`(() => {
    const isVisible = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const lightness = (color) => {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data
      return alpha === 0 ? 1 : (red + green + blue) / 765
    }
    const texts = [...document.querySelectorAll('main :is(h1, h2, th, td, dt, dd, li, p)')].filter(isVisible)
    const first = document.querySelector('main :is(table, svg.map, .map svg, dl)')
    return {
      controls: [...document.querySelectorAll(${JSON.stringify(CONTROLS)})].filter(isVisible).map((element) => element.outerHTML.slice(0, 80)),
      cut: [...document.querySelectorAll('main :is(th, td)')]
        .filter((cell) => isVisible(cell) && !cell.closest('.rack'))
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.getBoundingClientRect().right > ${SHEET.width} + 1)
        .map((cell) => cell.textContent),
      pale: texts.filter((element) => lightness(getComputedStyle(element).color) > 0.6).map((element) => element.textContent),
      firstEnd: first ? first.getBoundingClientRect().bottom : 0,
    }
  })()`)

inBrowser('a printed page', () => {
  const { openSignedIn, url } = setUp()

  it.each([
    '/dcim/devices/',
    '/ipam/prefixes/',
    '/dcim/racks/',
    '/dcim/rack-elevations/',
    '/dcim/racks/1/',
    '/dcim/devices/1/',
    '/dcim/devices/1/interfaces/',
    '/dcim/sites/1/',
    '/dcim/sites/map/',
    '/dcim/topology/?site_id=1',
    '/',
  ])('has its content and nothing to click, in dark ink: %s', async (path) => {
    const page = await openSignedIn({ viewport: SHEET })
    await page.context().addCookies([{ name: 'theme', value: 'dark', url: url() }])
    await page.goto(path)
    await page.emulateMedia({ media: 'print' })
    const { controls, cut, pale } = await printed(page)
    expect(controls).toEqual([])
    expect(cut).toEqual([])
    expect(pale).toEqual([])
    expect(await page.getByRole('main').locator('h1').isVisible()).toBe(true)
  })

  it('begins with a rack on the first sheet', async () => {
    const page = await openSignedIn({ viewport: SHEET })
    await page.goto('/dcim/rack-elevations/')
    await page.emulateMedia({ media: 'print' })
    const { firstEnd } = await printed(page)
    expect(firstEnd).toBeGreaterThan(100)
    expect(firstEnd).toBeLessThan(SHEET.height)
  })
})
