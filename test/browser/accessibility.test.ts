import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const GRAVE: ReadonlySet<string> = new Set(['serious', 'critical'])

/** Problems that keep people from using the page, each with the first element that it concerns. */
async function graveIssues(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const { violations, passes } = await page.evaluate<AxeResults>('axe.run()')
  // A page that was not looked at has no issues either.
  expect(passes.length).toBeGreaterThan(10)
  return violations
    .filter(({ impact }) => GRAVE.has(impact ?? ''))
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html})`)
}

const PAGES = [
  '/',
  '/login/',
  '/api/',
  '/api/dcim/',
  '/api/dcim/devices/?site=harbour-house&name__ic=r',
  '/api/dcim/devices/1/',
  '/api/dcim/devices/1/?_view=json',
  '/api/dcim/racks/1/',
  '/api/dcim/devices/?_view=new',
  '/api/dcim/devices/1/?_view=change',
  '/api/dcim/devices/1/?_view=delete',
  '/api/dcim/sites/?_view=options',
  '/api/dcim/devices/?status=nonsense',
  '/api/dcim/devices/99999/',
  '/api/schema/redoc/',
  '/api/schema/redoc/dcim/racks/',
  '/user/api-tokens/',
  '/dcim/devices/',
  '/dcim/devices/?status=active&q=r',
  '/dcim/devices/1/',
  '/dcim/devices/1/edit/',
  '/dcim/devices/1/delete/',
  '/dcim/devices/add/',
  '/dcim/interfaces/?device_id=1',
  '/dcim/racks/1/',
  '/dcim/cables/1/',
  '/dcim/cables/add/',
  '/ipam/prefixes/1/',
  '/ipam/ip-addresses/add/',
  '/extras/custom-fields/add/',
  '/users/permissions/add/',
  '/core/changelog/',
  '/core/system/',
  '/core/config-revisions/',
  '/user/profile/',
  '/user/bookmarks/',
  '/user/notifications/',
  '/user/preferences/',
  '/user/password/',
]

inBrowser('no page has a serious issue of accessibility', () => {
  const { openSignedIn } = setUp()

  it.each(['light', 'dark'] as const)(
    'in %s colours',
    { timeout: 300_000 },
    async (colorScheme) => {
      const page = await openSignedIn({ colorScheme })
      for (const path of PAGES) {
        await page.goto(path)
        // Folded parts are checked too.
        for (const summary of await page.locator('main details.more > summary').all()) {
          if (await summary.isVisible()) await summary.click()
        }
        expect(await graveIssues(page), path).toEqual([])
      }
    },
  )
})
