import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import { createdId, createdIds } from '../support/requests.ts'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

const WIDTHS = [1280, 1440, 1680]
const LONG = 'the-northern-harbour-'.repeat(5).slice(0, 100)

/** Statuses, numbers, times and bars whose text is cut off. */
const CLIPPED = `[...document.querySelectorAll('.in-list td')]
  .filter((cell) => cell.matches('.num, .mono, :has(> :is(.badge, time, .yes, .no, .utilization-cell))'))
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((cell) => cell.textContent)`

/** What is wider than the window, and what leaves its card without a bar to scroll with. */
const OUTSIDE = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement
  const scrolls = (element) => element && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement))
  const escaped = [...document.querySelectorAll('main .card')].flatMap((card) => {
    const edge = card.getBoundingClientRect().right
    return [...card.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > edge + 1)
      .filter((element) => !element.closest('svg, .popover, .visually-hidden') && !scrolls(element.parentElement))
  })
  return [...(scrollWidth > clientWidth ? ['the page: ' + scrollWidth] : []), ...escaped.map((element) => element.outerHTML.slice(0, 90))]
})()`

inBrowser('with much data', () => {
  const { openSignedIn, api } = setUp()
  let addresses: readonly string[]

  beforeAll(async () => {
    const many = Array.from({ length: 1000 }, (_, index) => index)
    const site = await createdId(api(), 'dcim/sites', { name: LONG, slug: 'long' })
    const rack = await createdId(api(), 'dcim/racks', { name: LONG, site, u_height: 42 })
    const device = { name: LONG.slice(0, 64), site, rack, role: 1, device_type: 1, status: 'decommissioning' }
    const id = await createdId(api(), 'dcim/devices', { ...device, position: 1, face: 'front' })
    await createdIds(
      api(),
      'dcim/devices',
      many.map((index) => ({ ...device, name: `${LONG.slice(0, 58)}${index}` })),
    )
    await createdIds(
      api(),
      'dcim/interfaces',
      many.map((index) => ({ device: id, name: `GigabitEthernet${index % 4}/0/${index}`, type: '1000base-t' })),
    )
    const prefix = await createdId(api(), 'ipam/prefixes', { prefix: '172.16.0.0/16', description: LONG })
    await createdIds(
      api(),
      'ipam/prefixes',
      many.map((index) => ({ prefix: `172.16.${index >> 3}.${(index % 8) * 32}/27`, status: 'deprecated' })),
    )
    await createdIds(
      api(),
      'ipam/ip-addresses',
      many.map((index) => ({ address: `172.16.${index >> 8}.${index % 256}/27`, dns_name: 'host.example' })),
    )
    addresses = [
      ...['', 'interfaces/'].map((tab) => `/dcim/devices/${id}/${tab}`),
      ...['', 'nonracked-devices/'].map((tab) => `/dcim/racks/${rack}/${tab}`),
      ...['', 'prefixes/', 'ip-addresses/'].map((tab) => `/ipam/prefixes/${prefix}/${tab}`),
      `/dcim/sites/${site}/`,
      `/dcim/topology/?site_id=${site}`,
      `/dcim/rack-elevations/?site_id=${site}`,
    ]
  })

  const outside = (page: Page): Promise<readonly string[]> => page.evaluate(OUTSIDE)

  it('no list cuts off a status, a number, a time or a bar', async () => {
    const page = await openSignedIn()
    const lists = [...api().service.registry.models.values()].flatMap((model) => pagePathOf(model) ?? [])
    expect(lists.length).toBeGreaterThan(100)
    const clipped: string[] = []
    for (const list of lists) {
      await page.setViewportSize({ width: WIDTHS[0] ?? 0, height: 900 })
      await page.goto(list, { waitUntil: 'load' })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        const texts = await page.evaluate<readonly string[]>(CLIPPED)
        if (texts.length > 0) clipped.push(`${list} at ${width}: ${texts.slice(0, 3).join(', ')}`)
      }
    }
    expect(clipped).toEqual([])
  })

  it.each([1440, 390])('no page of an object with 1,000 children breaks at %i pixels', async (width) => {
    const page = await openSignedIn({ viewport: { width, height: 844 } })
    const broken: string[] = []
    for (const address of addresses) {
      const response = await page.goto(address, { waitUntil: 'load' })
      if (response?.status() !== 200) broken.push(`${address}: ${response?.status()}`)
      broken.push(...(await outside(page)).slice(0, 2).map((what) => `${address}: ${what}`))
    }
    expect(broken).toEqual([])
  })
})
