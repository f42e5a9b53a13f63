import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import type { TestSettings } from '../support/settings.ts'
import { CHROMIUM } from './find-chromium.ts'

/** A service with the sample network, and a browser in which to view it. */
export interface Setting {
  /** Address of the service. */
  readonly url: () => string
  readonly api: () => Api
  /**
   * A new window, signed out. It is closed at the end of the test. The test fails if there were requests to other
   * hosts, errors in scripts, or content that the page's policy blocked.
   */
  open(options?: BrowserContextOptions): Promise<Page>
  /** As `open`, signed in as the superuser. */
  openSignedIn(options?: BrowserContextOptions): Promise<Page>
}

/** Milliseconds for an action or an assertion of Playwright; a slow machine is not a broken page. */
const PATIENCE = 120_000

/** For a suite: starts both before its tests, and ends both after them. `settings`: of the service. */
export function setUp(settings: TestSettings = {}, isEmpty = false): Setting {
  let api: Api | undefined
  let browser: Browser | undefined
  // One for all tests of a suite, because hashing passwords is deliberately slow.
  let session: BrowserContextOptions['storageState']
  beforeAll(async () => {
    api = await startApi(settings)
    if (!isEmpty) await loadDemo(api.service)
    browser = await chromium.launch({
      ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
      // Tests may run as root in a container, where Chromium's own sandbox does not.
      args: ['--no-sandbox'],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await api?.close()
  })
  const running = (): Api => {
    if (!api) throw new Error('The service has not been started')
    return api
  }
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    if (!browser) throw new Error('The browser has not been started')
    const context = await browser.newContext({ baseURL: running().url, ...options })
    context.setDefaultTimeout(PATIENCE)
    const page = await context.newPage()
    const complaints = complaintsOf(page, running().url)
    onTestFinished(async () => {
      await context.close()
      expect(complaints).toEqual([])
    })
    return page
  }
  return {
    url: () => running().url,
    api: running,
    open,
    openSignedIn: async (options) => {
      const page = await open({ ...options, ...(session && { storageState: session }) })
      if (session) return page
      await page.goto('/login/')
      await signIn(page)
      session = await page.context().storageState()
      return page
    },
  }
}

/** Fills in the form of the login page. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password').fill('admin')
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await page.locator('.user-menu').waitFor()
}

/** Starts the interpreter of templates, which takes longer than a page waits for it on a busy machine. */
export async function startTemplates(api: Api): Promise<void> {
  const id = await api.make('extras/config-templates', { name: 'start', template_code: 'started' })
  const template = `/api/extras/config-templates/${id}/`
  await eventually(async () => {
    const { status, text } = await api.ask('POST', `${template}render/`, { body: {} })
    expect(status, text).toBe(200)
  })
  await api.ask('DELETE', template)
}

/** The JSON that a page of the API shows. */
export async function shownJson(page: Page): Promise<Document> {
  const json = page.getByLabel('JSON', { exact: true })
  await json.waitFor()
  // A long document is shown before all of it has arrived.
  await page.waitForLoadState()
  return JSON.parse((await json.textContent()) ?? '')
}

/** The first of the objects that a search offers. */
export const firstFound = (page: Page): Locator =>
  page.getByRole('listbox', { name: 'Found' }).getByRole('option').first()

/** Chooses the option that begins with a text in a list, or in the combobox into which the scripts of the page turn it. */
export async function choose(field: Locator, text: string): Promise<void> {
  await field.page().waitForLoadState()
  const isList = (await field.evaluate(({ tagName }) => tagName)) === 'SELECT' && (await field.isVisible())
  const begin = new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`)
  if (isList) {
    const option = field.locator('option').filter({ hasText: begin }).first()
    await field.selectOption(await option.getAttribute('value'))
    return
  }
  const picker = field.locator('xpath=ancestor::*[contains(concat(" ", @class, " "), " picker ")][1]')
  await picker.getByRole('combobox').fill(text.split(' · ')[0] ?? '')
  await picker.getByRole('option', { name: begin }).first().click()
}

/** Problems of a page that its reader does not see, collected as they occur. */
function complaintsOf(page: Page, url: string): readonly string[] {
  const complaints: string[] = []
  page.on('request', (request) => {
    const address = request.url()
    if (!address.startsWith(url) && !address.startsWith('data:')) {
      complaints.push(`request to ${address}`)
    }
  })
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
