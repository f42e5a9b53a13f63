import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { CHROMIUM } from '../test/browser/find-chromium.ts'
import { startServer } from '../test/support/server.ts'

// Retakes the screenshots of the documents, in a service with the sample network: node scripts/take-screenshots.ts

const IMAGES = join(import.meta.dirname, '../docs/images')
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
} as const satisfies Record<string, BrowserContextOptions>

if (CHROMIUM === undefined) throw new Error('There is no Chromium; CHROMIUM can name one.')

const directory = mkdtempSync(join(tmpdir(), 'cadastre-screenshots-'))
const server = await startServer({ DATA_DIR: directory, DEMO: 'true', LOG_LEVEL: 'error' })
// Chromium's own sandbox does not work for root in a container.
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
try {
  for (const [look, options] of Object.entries(LOOKS)) {
    const context = await browser.newContext({ baseURL: server.url, ...options })
    const page = await context.newPage()
    await signIn(page)
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(path)
      await takePicture(page, `${name}-${look}.webp`)
    }
    await context.close()
  }
} finally {
  await browser.close()
  await server.stop()
  rmSync(directory, { recursive: true })
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login/')
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password').fill('admin')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await page.locator('.user-menu').waitFor()
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.waitForFunction(
    'document.fonts.status === "loaded" && [...document.images].every((image) => image.complete)',
  )
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 72 })
    .toBuffer()
  if (picture.length >= MOST_BYTES) throw new Error(`${name} has ${picture.length} bytes, ${MOST_BYTES} at most`)
  await writeFile(join(IMAGES, name), picture)
}
