import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, it } from 'vitest'
import type { Api } from '../../support/api.ts'
import type { TestSettings } from '../../support/settings.ts'
import { choose, type Setting, setUp } from '../browser.ts'
import { inBrowser } from '../chromium.ts'

const DOCUMENT = join(import.meta.dirname, 'README.md')
const IMAGES = join(import.meta.dirname, 'pictures')
/** Number of the tasks with which NetBox and Cadastre were compared. */
const TASKS = 40
/** In bytes; pictures stay in the repository's history forever. */
const MOST_BYTES = 65_000

const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 780 },
} as const
type Size = keyof typeof SIZES

/** A person who uses the pages, and whose clicks are counted. */
export interface Person {
  readonly page: Page
  readonly api: Api
  readonly size: Size
  /** Clicks an element, or taps it on a phone. */
  click(element: Locator): Promise<void>
  /** Types into a field, after having clicked it. */
  type(element: Locator, text: string): Promise<void>
  /** Chooses an option of a list, which takes two clicks. */
  choose(element: Locator, option: string): Promise<void>
  /** Presses a key. */
  press(key: string): Promise<void>
  /**
   * Types into a field that is reached by keyboard: the cursor starts in the first field of a form, and Tab moves to
   * the others.
   */
  fill(element: Locator, text: string): Promise<void>
  /** Chooses an option of a list by the first letters of its label, as `fill` types. */
  pick(element: Locator, option: string): Promise<void>
}

/** A task of a working day. */
export interface Story {
  /** Name of the picture. */
  readonly name: string
  readonly title: string
  /** Number among the forty tasks of README.md; undefined for further stories. */
  readonly task?: number
  /** Number of clicks, which the document shows. */
  readonly clicks: Readonly<Record<Size, number>>
  /** Clicks that an experienced user needs for it in NetBox at a desk; undefined if nobody has counted them. */
  readonly netbox?: number
  /** The person has not logged in yet. */
  readonly signedOut?: true
  /** Carries out the task from the start page, and asserts its result. */
  readonly run: (person: Person) => Promise<void>
}

interface Options {
  /** Settings of the service. */
  readonly settings?: TestSettings
  /** The stories begin with an empty database. */
  readonly isEmpty?: boolean
}

/**
 * The stories at both sizes, in the sample network with the objects that `prepare` adds. README.md must have a row for each.
 * With UPDATE_IMAGES, the pictures are retaken.
 */
export function tellStories(
  title: string,
  stories: readonly Story[],
  prepare: (api: Api) => Promise<void>,
  { settings = {}, isEmpty = false }: Options = {},
): void {
  inBrowser(title, () => {
    const setting = setUp(settings, isEmpty)
    beforeAll(() => prepare(setting.api()))
    it.each(stories.flatMap((story) => (['desktop', 'phone'] as const).map((size) => ({ size, ...story }))))(
      '$title ($size)',
      async ({ size, ...story }) => {
        const clicks = await carryOut(setting, story, size)
        expect(clicks).toBe(story.clicks[size])
        if (size === 'desktop') expect(clicks).toBeLessThanOrEqual(story.netbox ?? Number.POSITIVE_INFINITY)
      },
    )
    it('README.md contains all stories', async () => {
      const text = await readFile(DOCUMENT, 'utf8')
      for (const story of stories) expect(text).toContain(rowOf(story))
      for (let task = 1; task <= TASKS; task++) expect(text).toContain(`| ${task} | `)
    })
  })
}

/** The row of a story in the document: its clicks are links to its pictures. */
const rowOf = ({ task, title, name, clicks, netbox }: Story): string =>
  `| ${task ?? ''} | ${title} | [${clicks.desktop}](pictures/${name}-desktop.png) | [${clicks.phone}](pictures/${name}-phone.png) | ${netbox ?? '–'} |`

async function carryOut({ open, openSignedIn, api }: Setting, story: Story, size: Size): Promise<number> {
  const page = await (story.signedOut ? open : openSignedIn)({
    viewport: SIZES[size],
    colorScheme: size === 'phone' ? 'dark' : 'light',
    hasTouch: size === 'phone',
  })
  let clicks = 0
  const click = async (element: Locator): Promise<void> => {
    clicks += 1
    await element.click()
  }
  await page.goto('/')
  await story.run({
    page,
    size,
    api: api(),
    click,
    type: async (element, text) => {
      await click(element)
      await element.fill(text)
    },
    choose: async (element, option) => {
      clicks += 2
      await choose(element, option)
    },
    press: (key) => page.keyboard.press(key),
    fill: (element, text) => element.fill(text),
    pick: choose,
  })
  if (process.env.UPDATE_IMAGES) await takePicture(page, `${story.name}-${size}`)
  return clicks
}

async function takePicture(page: Page, name: string): Promise<void> {
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, colours: 40, compressionLevel: 9, effort: 10 })
    .toBuffer()
  expect(picture.length).toBeLessThan(MOST_BYTES)
  await mkdir(IMAGES, { recursive: true })
  await writeFile(join(IMAGES, `${name}.png`), picture)
}
