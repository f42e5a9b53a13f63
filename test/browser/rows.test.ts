import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

/** Contrast that WCAG requires of icons and controls. */
const LEAST_CONTRAST = 3

interface Shown {
  readonly label: string
  /** Red, green and blue, from 0 to 255. */
  readonly color: readonly number[]
  readonly ground: readonly number[]
  /** Of the element within all others, from 0 to 1. */
  readonly opacity: number
}

/** The colours of the elements that a selector finds. */
const shownColors = (page: Page, selector: string): Promise<readonly Shown[]> =>
  page.evaluate(`(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const shade = (color) => {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data]
    }
    const around = (element) => (element ? [element, ...around(element.parentElement)] : [])
    return [...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
      const styles = around(element).map((each) => getComputedStyle(each))
      const [red, green, blue, alpha] = shade(styles[0].color)
      return {
        label: element.getAttribute('aria-label') ?? element.textContent,
        color: [red, green, blue],
        ground: styles.map(({ backgroundColor }) => shade(backgroundColor)).find((each) => each[3] === 255).slice(0, 3),
        opacity: styles.reduce((product, { opacity }) => product * opacity, alpha / 255),
      }
    })
  })()`)

/** Relative luminance of WCAG. */
function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Actions that are transparent, or have less contrast to their row than is required. */
async function faintActions(page: Page, actions: string): Promise<readonly string[]> {
  const faint = (await shownColors(page, actions)).filter(({ color, ground, opacity }) => {
    const [dark = 0, light = 0] = [luminance(color), luminance(ground)].toSorted((one, other) => one - other)
    return opacity < 1 || (light + 0.05) / (dark + 0.05) < LEAST_CONTRAST
  })
  return faint.map(({ label }) => label)
}

inBrowser('rows of objects', () => {
  const { openSignedIn } = setUp()

  it.each([
    ['a list', '/dcim/devices/', '.row-actions a'],
    ['the ports of a device', '/dcim/devices/2/interfaces/', '.row-actions a'],
    ['free units of a rack', '/dcim/racks/1/', '.rack .free a'],
    ['the menu', '/dcim/devices/', '.sidebar .add'],
  ])('show their actions without a pointer, in light and dark: %s', async (_name, path, actions) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openSignedIn({ colorScheme })
      await page.goto(path)
      expect(await page.locator(actions).count()).toBeGreaterThan(0)
      expect(await faintActions(page, actions)).toEqual([])
    }
  })

  it('show their actions on a phone', async () => {
    const page = await openSignedIn({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.goto('/dcim/devices/2/interfaces/')
    await page
      .getByRole('link', { name: /^Edit / })
      .first()
      .tap()
    await page.waitForURL(/\/edit\//)
  })

  it.each([
    ['locations of a site', '/dcim/sites/1/'],
    ['prefixes and free space', '/ipam/prefixes/1/'],
    ['links of a topology', '/dcim/topology/?site_id=1'],
    ['the tables of a device type', '/dcim/device-types/1/'],
    ['rows of an overview', '/dcim/sites/1/'],
  ])('are as high in the cards of other pages as in lists: %s', async (_name, path) => {
    const page = await openSignedIn({ viewport: { width: 1440, height: 900 } })
    await page.goto(path)
    const rows = page.locator('main').locator('.objects-table tbody tr, .overview li, .counted li')
    const heights = await rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)))
    expect(heights.length).toBeGreaterThan(0)
    expect(heights.filter((height) => height < 32 || height > 33)).toEqual([])
  })
})
