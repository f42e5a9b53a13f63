import type { Page, Response } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

/** Compressed bytes of scripts and styles that a list page may have. */
const MOST_BYTES = 60_000

const filter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Location' }).getByRole('combobox', { name, exact: true })

/** Options that a search offers, once they have arrived. */
async function offered(page: Page): Promise<readonly string[]> {
  const list = page.getByRole('listbox', { name: 'Found' })
  await list.getByRole('option').first().waitFor()
  return await list.getByRole('option').locator('bdi').allTextContents()
}

inBrowser('lists', () => {
  const { openSignedIn } = setUp()

  it('need at most 60 kB of scripts and styles', async () => {
    const page = await openSignedIn()
    const files: Response[] = []
    page.on('response', (response) => {
      if (['script', 'stylesheet'].includes(response.request().resourceType())) files.push(response)
    })
    await page.goto('/dcim/devices/', { waitUntil: 'networkidle' })
    const sizes = await Promise.all(files.map(async (file) => (await file.request().sizes()).responseBodySize))
    expect(files.length).toBeGreaterThan(5)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
  })

  it('are where they were scrolled to when one goes back', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/interfaces/?limit=250')
    const position = () => page.locator('.in-list').evaluate(({ scrollTop }) => scrollTop)
    await page.locator('tbody tr').last().locator('td a').first().click()
    await page.waitForURL(({ search }) => !search.includes('limit'))
    await page.goBack()
    await expect.poll(position, { timeout: 10_000 }).toBeGreaterThan(0)
  })

  it('enable the buttons for several objects once objects are selected', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    const edit = page.locator('#selection').getByRole('button', { name: 'Edit' })
    expect(await edit.isDisabled()).toBe(true)
    const box = page.locator('tbody input[type="checkbox"]').first()
    await box.check()
    expect(await edit.isDisabled()).toBe(false)
    await box.uncheck()
    expect(await edit.isDisabled()).toBe(true)
    await page.locator('#selection select[name="scope"]').selectOption('page')
    expect(await edit.isDisabled()).toBe(false)
  })

  it('offer choices of a filter that fit the filters before it', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    await page.locator('summary', { hasText: /^Filters/ }).click()
    await filter(page, 'Rack').click()
    const all = await offered(page)
    await filter(page, 'Site').fill('gull')
    await page.getByRole('option', { name: /^Gull Rock/ }).click()
    await filter(page, 'Rack').click()
    await expect.poll(async () => (await offered(page)).length).toBeLessThan(all.length)
    await page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().click()
    await page.getByRole('button', { name: 'Show' }).last().click()
    await page.waitForURL(/site_id=\d+&rack_id=\d+/)
    expect(await page.getByRole('rowheader').allTextContents()).toContain('gr-router')
  })

  it('offer choices of a field for many objects that fit the other fields', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    await page.getByRole('checkbox', { name: /^Select gr-router/ }).check()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('combobox', { name: 'Site', exact: true }).fill('harb')
    await page.getByRole('option', { name: /^Harbour House/ }).click()
    await page.getByRole('combobox', { name: 'Location', exact: true }).click()
    const own = await offered(page)
    await page.getByRole('combobox', { name: 'Site', exact: true }).fill('')
    await page.getByRole('combobox', { name: 'Location', exact: true }).click()
    await expect.poll(async () => (await offered(page)).length).toBeGreaterThan(own.length)
  })

  it.each([
    ['wide', 1440],
    ['narrow', 390],
  ])('and tabs of objects have no vertical scroll bar of their own in a %s window', async (_name, width) => {
    const page = await openSignedIn({ viewport: { width, height: 844 } })
    await page.goto('/dcim/devices/1/')
    const styles = await page
      .locator('.tabs ul')
      .evaluate((list) => list.ownerDocument.defaultView?.getComputedStyle(list).overflowY)
    expect(styles).toBe('hidden')
  })
})
