import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Api } from '../support/api.ts'
import { setUp, startTemplates } from './browser.ts'
import { inBrowser } from './chromium.ts'
import { graveIssues } from './grave-issues.ts'

const SOURCES = join(import.meta.dirname, '../../src')

/** Something that people can do with the keyboard alone; it leaves the page in a state that is then checked. */
interface Use {
  /** Name of the island; absent for a page with forms only. */
  readonly island?: string
  readonly path: string
  readonly act: (page: Page, api: Api) => Promise<void>
}

/** Presses a key on the element with the focus. */
const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

const textOf = async (page: Page): Promise<string> => (await page.getByRole('main').textContent()) ?? ''

const USES: Readonly<Record<string, Use>> = {
  'takes the next free prefix': {
    island: 'allocate',
    path: '/ipam/prefixes/1/',
    act: async (page, api) => {
      await page.getByRole('button', { name: 'Allocate', exact: true }).focus()
      await press(page, 'Enter')
      await page.waitForURL(/\/ipam\/prefixes\/(?!1\/)\d+\//)
      await page.getByText('was created').waitFor()
      const taken = new URL(page.url()).pathname
      await page.getByRole('status').getByRole('link', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Undo 1 change' }).click()
      await page.getByText('1 change undone.').waitFor()
      expect((await api.ask('GET', `/api${taken}`)).status).toBe(404)
    },
  },
  'moves a widget of the start page': {
    island: 'dashboard',
    path: '/dashboard/',
    act: async (page) => {
      const names = () => page.locator('.widget > h2').allTextContents()
      const [first, second] = await names()
      await page.getByRole('button', { name: `Move back: ${first}` }).focus()
      await press(page, 'Enter')
      await expect.poll(async () => (await names())[0]).toBe(second)
    },
  },
  'sees an earlier state, and returns to the present': {
    island: 'time-slider',
    path: '/dcim/racks/1/',
    act: async (page) => {
      await page.locator('summary[aria-label="View an earlier state"]').focus()
      await press(page, 'Enter', 'Tab', 'Home')
      await page.getByText('read-only').waitFor()
      // The slider of the next page has the focus.
      await press(page, 'End')
      await page.getByText('read-only').waitFor({ state: 'detached' })
    },
  },
  'describes a type of objects, and adds a row for another field': {
    island: 'own-model',
    path: '/plugins/custom-objects/custom-object-types/new/',
    act: async (page) => {
      await page.keyboard.type('Ground Lease')
      await page.getByText('Ground Leases · ground-leases').waitFor()
      const rows = page.locator('.own-fields tbody tr')
      const before = await rows.count()
      await page.getByRole('button', { name: 'Add a field' }).focus()
      await press(page, 'Enter')
      await page.keyboard.type('Ends')
      expect(await rows.count()).toBe(before + 1)
      expect(await rows.last().locator('[name="field.name"]').inputValue()).toBe('Ends')
    },
  },
  'changes a value where it stands': {
    island: 'inline-edit',
    path: '/dcim/sites/',
    act: async (page) => {
      await press(page, 'j', 'ArrowRight', 'Enter')
      await page.locator('.inline-edit').getByRole('combobox').waitFor()
    },
  },
  'completes an expression': {
    island: 'expression',
    path: '/extras/computed-fields/add/?object_type=dcim.site',
    act: async (page) => {
      const area = page.locator('[data-field="expression"] textarea')
      await area.focus()
      await area.pressSequentially('lengt')
      await page.getByRole('option', { name: 'length(text)' }).waitFor()
      await press(page, 'Enter')
      await area.pressSequentially('name')
      await page.getByText('Result: Integer').waitFor()
    },
  },
  'sees a job that waits': {
    island: 'follow-job',
    path: '/core/jobs/',
    act: async (page, api) => {
      const { json: sources } = await api.ask('GET', '/api/core/data-sources/?limit=1')
      const source = Number(sources.results?.[0]?.id)
      await api.ask('POST', `/api/core/data-sources/${source}/sync/`, { body: {} })
      const { json: jobs } = await api.ask('GET', '/api/core/jobs/?ordering=-id&limit=1')
      await page.goto(`/core/jobs/${Number(jobs.results?.[0]?.id)}/`)
      await page.getByText('This page is updated until the job').waitFor()
      await page.getByRole('button', { name: 'Stop the job' }).focus()
    },
  },
  'moves among cells, fills down, undoes, and reaches the refused cell': {
    island: 'grid',
    path: '/dcim/sites/grid/',
    act: async (page) => {
      const column = page.locator('table.grid td:nth-of-type(3) input')
      await column.first().focus()
      await page.keyboard.type('Hall')
      await press(page, 'Control+d', 'Enter')
      expect(await column.nth(1).inputValue()).toBe('Hall')
      expect(await column.nth(1).evaluate((input) => input.matches(':focus'))).toBe(true)
      await press(page, 'Escape', 'ArrowUp')
      expect(await column.nth(1).inputValue()).not.toBe('Hall')
      expect(await column.first().evaluate((input) => input.matches(':focus'))).toBe(true)
      const status = page.locator('table.grid td:nth-of-type(2) input').nth(1)
      await status.fill('nonsense')
      await page.getByRole('button', { name: 'Save' }).press('Enter')
      await page.getByText('Not saved.').waitFor()
      const refused = page.locator('[aria-invalid=true]')
      expect(await refused.evaluate((input) => input.matches(':focus'))).toBe(true)
    },
  },
  'pauses live changes, and opens one that stays open when others arrive': {
    island: 'live-changes',
    path: '/core/events/?object_type=dcim.site',
    act: async (page, api) => {
      const rows = page.locator('#live-changes tbody tr')
      await page.getByText('New changes appear automatically.').waitFor()
      await rows.first().locator('summary').focus()
      await press(page, 'Enter')
      const change = async (facility: string): Promise<void> => {
        await api.ask('PATCH', '/api/dcim/sites/2/', { body: { facility } })
        await api.background.runUntilIdle()
      }
      const before = await rows.first().getAttribute('data-position')
      await change(`Hall ${before}`)
      await expect.poll(() => rows.first().getAttribute('data-position')).not.toBe(before)
      const opened = page.locator(`#live-changes tr[data-position="${before}"] details`)
      expect(await opened.getAttribute('open')).not.toBeNull()
      const pause = page.getByRole('button', { name: 'Pause' })
      await pause.focus()
      await press(page, 'Enter')
      await page.getByText('Paused.').waitFor()
    },
  },
  'moves a device within its rack': {
    island: 'rack-elevation',
    path: '/dcim/racks/1/',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Move hh-/ })
        .first()
        .focus()
      await press(page, 'Enter', 'ArrowDown')
      await page.locator('.rack-ghost').first().waitFor()
    },
  },
  'folds the levels of a prefix': {
    island: 'space-table',
    path: '/ipam/prefixes/1/',
    act: async (page) => {
      const fold = page.getByRole('button', { name: /^Prefixes within/ }).first()
      const before = await fold.getAttribute('aria-expanded')
      await fold.focus()
      await press(page, 'Enter')
      expect(await fold.getAttribute('aria-expanded')).not.toBe(before)
    },
  },
  'zooms the map of sites': {
    island: 'site-map',
    path: '/dcim/sites/map/',
    act: async (page) => {
      const map = page.getByRole('region', { name: 'Map of sites' })
      const land = map.locator('svg svg')
      const before = await land.getAttribute('viewBox')
      await map.focus()
      await press(page, '+', '+', 'ArrowRight')
      expect(await land.getAttribute('viewBox')).not.toBe(before)
      await map.getByRole('button', { name: 'Fit' }).focus()
      await press(page, 'Enter')
      expect(await land.getAttribute('viewBox')).toBe(before)
    },
  },
  'zooms a map': {
    island: 'topology',
    path: '/dcim/topology/?site_id=1',
    act: async (page) => {
      const map = page.getByRole('region', { name: 'Topology' })
      const before = await map.locator('svg').getAttribute('viewBox')
      await map.focus()
      await press(page, '+')
      expect(await map.locator('svg').getAttribute('viewBox')).not.toBe(before)
    },
  },
  'looks at the pairs of two devices': {
    path: '/dcim/cables/connect/?a_device=1&a_type=dcim.interface&b_device=2&b_type=dcim.interface',
    act: async (page) => {
      await page.getByRole('button', { name: 'Preview the pairs' }).focus()
      await press(page, 'Enter')
      await page.getByRole('heading', { name: /pairs?$/ }).waitFor()
      await page.getByRole('checkbox').first().focus()
      await press(page, 'Space')
      expect(await page.getByRole('checkbox').first().isChecked()).toBe(false)
    },
  },
  'looks at the parts of a prefix': {
    path: '/ipam/prefixes/1/reshape/',
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Length of the new prefixes' }).focus()
      await press(page, 'ArrowDown')
      await page.getByRole('button', { name: 'Preview' }).first().focus()
      await press(page, 'Enter')
      await page.getByRole('button', { name: 'Split', exact: true }).waitFor()
    },
  },
  'compares a configuration with that of another template': {
    path: '/dcim/devices/1/render-config/',
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Config template' }).focus()
      await press(page, 'ArrowDown')
      await press(page, 'Enter')
      await page.getByRole('button', { name: 'Compare' }).first().focus()
      await press(page, 'Enter')
      await page.waitForURL(/compared_template=\d/)
      expect(await textOf(page)).toMatch(/lines? differs?\.|lines differ\./)
    },
  },
}

/** Scripts of whole kinds of pages, which the other tests of browsers use. */
const USED_ELSEWHERE = ['columns', 'copy', 'edit-form', 'lists', 'login', 'object', 'frame']

inBrowser('with the keyboard alone a user', () => {
  const { openSignedIn, api } = setUp()
  beforeAll(async () => {
    const made = async (path: string, body: object): Promise<number> => {
      const { status, text, json } = await api().ask('POST', `/api/${path}/`, { body })
      expect(status, text).toBe(201)
      return Number(json.id)
    }
    await made('core/data-sources', {
      ...{ name: 'Files', type: 'local', source_url: '/nowhere' },
    })
    const own = await made('extras/config-templates', {
      ...{ name: 'long', template_code: 'hostname {{ device.name }}\nend' },
    })
    await made('extras/config-templates', {
      ...{ name: 'another', template_code: 'hostname {{ device.name }}' },
    })
    await api().ask('PATCH', '/api/dcim/devices/1/', { body: { config_template: own } })
    await startTemplates(api())
    await api().ask('PATCH', '/api/dcim/sites/1/', { body: { facility: 'First' } })
    await api().background.runUntilIdle()
  })

  it.each(Object.entries(USES))('%s', async (_name, { path, act }) => {
    const page = await openSignedIn()
    await page.goto(path)
    await act(page, api())
    expect(await graveIssues(page)).toEqual([])
  })

  it('uses every island', () => {
    const pages = readdirSync(join(SOURCES, 'web'), { recursive: true, encoding: 'utf8' })
    const named = pages
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(join(SOURCES, 'web', file), 'utf8').matchAll(/'([a-z-]+)\.client\.ts'/g)])
      .map(([, name = '']) => name)
    const used = Object.values(USES).flatMap(({ island }) => island ?? [])
    expect([...used, ...USED_ELSEWHERE].toSorted()).toEqual([...new Set(named)].toSorted())
  })
})
