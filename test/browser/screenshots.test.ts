import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

const IMAGES = join(import.meta.dirname, '../../docs/images')
/** Bytes; pictures are in the repository for good. */
const MOST_BYTES = 120_000

const DESKTOP = { width: 1200, height: 760 }
const PHONE = { width: 390, height: 760 }

/** The pictures of the documents. They are taken again only where UPDATE_IMAGES is set. */
const PICTURES = [
  { name: 'home', path: '/', colorScheme: 'light', viewport: DESKTOP },
  { name: 'devices', path: '/dcim/devices/', colorScheme: 'light', viewport: DESKTOP },
  { name: 'rack-dark', path: '/dcim/racks/1/', colorScheme: 'dark', viewport: DESKTOP },
  {
    name: 'form',
    path: '/dcim/devices/1/edit/',
    colorScheme: 'light',
    viewport: DESKTOP,
  },
  { name: 'phone-dark', path: '/dcim/devices/1/', colorScheme: 'dark', viewport: PHONE },
] as const

inBrowser('the pictures of the documents', () => {
  const { openSignedIn } = setUp()

  it.each(PICTURES)('show $path as $name', async ({ name, path, colorScheme, viewport }) => {
    const page = await openSignedIn({ colorScheme, viewport })
    await page.goto(path)
    await picturesLoaded(page)
    const picture = await sharp(await page.screenshot())
      .png({ palette: true, colours: 96 })
      .toBuffer()
    expect(picture.length).toBeLessThan(MOST_BYTES)
    if (process.env.UPDATE_IMAGES) await writeFile(join(IMAGES, `${name}.png`), picture)
  })
})

const picturesLoaded = (page: Page) =>
  expect.poll(() => page.evaluate<boolean>('[...document.images].every((image) => image.complete)')).toBe(true)
