import type { Response } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

/** Bytes of scripts that a page may have, before compression. */
const MOST_BYTES = 120_000

/** Pages that are written by hand. */
const PAGES = [
  '/',
  '/dashboard/',
  '/core/events/',
  '/dcim/sites/grid/',
  '/dcim/racks/1/',
  '/dcim/rack-elevations/?site_id=1',
  '/ipam/prefixes/1/',
  '/ipam/prefixes/1/reshape/',
  '/ipam/vlan-groups/1/',
  '/dcim/sites/1/',
  '/dcim/locations/1/',
  '/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations=1',
  '/dcim/cables/connect/?a_device=1&a_type=dcim.interface&b_device=2&b_type=dcim.interface',
  '/dcim/interfaces/1/trace/',
  '/dcim/devices/1/interfaces/',
  '/dcim/devices/1/power/',
  '/dcim/topology/?site_id=1',
  '/dcim/devices/1/config-context/',
  '/dcim/devices/1/render-config/',
]

inBrowser('scripts', () => {
  const { openSignedIn } = setUp()

  it.each(PAGES)('of %s are at most 120 kB', async (path) => {
    const page = await openSignedIn()
    // Scripts of the page after the login do not count, and their bodies would be gone.
    await page.waitForLoadState('networkidle')
    const files: Response[] = []
    page.on('response', (response) => {
      if (response.ok() && response.request().resourceType() === 'script') files.push(response)
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    const sizes = await Promise.all(files.map(async (file) => (await file.body()).length))
    expect(files.length).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
  })
})
