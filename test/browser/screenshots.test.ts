import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

const IMAGES = join(import.meta.dirname, '../../docs/images')
/** In bytes; pictures stay in the repository's history forever. */
const MOST_BYTES = 60_000

const DESKTOP = { width: 1280, height: 800 }

/** The pages of which the documents have pictures, by the name of the picture. */
const PAGES = {
  home: '/',
  devices: '/dcim/devices/',
  device: '/dcim/devices/1/',
  ports: '/dcim/devices/1/interfaces/',
  racks: '/dcim/rack-elevations/',
  rack: '/dcim/racks/1/',
  prefixes: '/ipam/prefixes/',
  prefix: '/ipam/prefixes/1/',
  trace: '/dcim/interfaces/1/trace/',
  topology: '/dcim/topology/',
  form: '/dcim/devices/1/edit/',
  changes: '/core/changelog/',
} as const

const LOOKS = {
  light: { colorScheme: 'light', viewport: DESKTOP },
  dark: { colorScheme: 'dark', viewport: DESKTOP },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 780 } },
} as const

inBrowser('the pictures of the documents', () => {
  const { openSignedIn } = setUp()

  // They are taken again only if UPDATE_IMAGES is set.
  it.each(Object.entries(LOOKS))('show each page: %s', { timeout: 300_000 }, async (look, options) => {
    const page = await openSignedIn(options)
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(path)
      await picturesLoaded(page)
      const picture = await sharp(await page.screenshot())
        .webp({ quality: 72 })
        .toBuffer()
      expect(picture.length, name).toBeLessThan(MOST_BYTES)
      if (process.env.UPDATE_IMAGES) await writeFile(join(IMAGES, `${name}-${look}.webp`), picture)
    }
  })
})

const picturesLoaded = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate<boolean>(
        'document.fonts.status === "loaded" && [...document.images].every((image) => image.complete)',
      ),
    )
    .toBe(true)
