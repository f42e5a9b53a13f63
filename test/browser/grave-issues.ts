import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/**
 * Racks side by side are drawn to scale and fit the window: a unit is as high as there is room for. What bars at the
 * edges of the window cover can be scrolled to.
 */
const SMALL_TARGETS = `
  for (const bar of document.querySelectorAll('.top, .buttons.sticky')) bar.style.position = 'static'
  axe.run({ exclude: ['.rack-row.tall'] }, { runOnly: ['target-size'] })`
const GRAVE: ReadonlySet<string> = new Set(['serious', 'critical'])

/** Problems that prevent people from using the page in either theme, each with the first element affected. */
export async function graveIssues(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const issues: string[] = []
  // The two themes are the same document with different colours, so it is loaded once.
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations, passes } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
    // A page that was not checked would have no issues either.
    expect(passes.length).toBeGreaterThan(10)
    const { violations: small } = await page.evaluate<AxeResults>(SMALL_TARGETS)
    for (const { id, impact, help, nodes } of [...violations, ...small]) {
      if (GRAVE.has(impact ?? '')) issues.push(`${colorScheme}: ${id}: ${help} (${nodes[0]?.html})`)
    }
  }
  return issues
}
