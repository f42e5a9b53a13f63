import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

const panelOf = (page: Page): Locator => page.locator('.inline-edit')

/** The cell of an object in a list, below the heading. */
async function cellOf(page: Page, name: string, heading: string): Promise<Locator> {
  const headings = await page.locator('.in-list thead th').allTextContents()
  const row = page.locator('.in-list tbody tr').filter({ has: page.getByRole('rowheader', { name }) })
  return row.locator('th, td').nth(headings.findIndex((text) => text.trim() === heading))
}

inBrowser('a value is changed where it stands', () => {
  const { openSignedIn, api } = setUp()

  const bodyOf = async (path: string) => (await api().ask('GET', path)).json

  it('by a double click in a list, and the change can be undone', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/?ordering=-name')
    const cell = await cellOf(page, 'Harbour House', 'Status')
    expect((await cell.textContent())?.trim()).toBe('Active')
    await cell.dblclick()
    await panelOf(page).getByRole('combobox').fill('Retired')
    await page.keyboard.press('Enter')
    const notice = page.locator('.notice.good')
    await notice.waitFor()
    expect((await (await cellOf(page, 'Harbour House', 'Status')).textContent())?.trim()).toBe('Retired')
    expect(new URL(page.url()).searchParams.get('ordering')).toBe('-name')
    expect(await page.locator('.peek').count()).toBe(0)
    await notice.getByRole('link', { name: 'Undo' }).click()
    await page.locator('main form button').first().click()
    await page.waitForURL(/dcim\/sites/)
    expect((await (await cellOf(page, 'Harbour House', 'Status')).textContent())?.trim()).toBe('Active')
  })

  it('by the keyboard in a list', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/?name=hh-router')
    await page.keyboard.press('j')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await panelOf(page).getByRole('combobox').fill('Offline')
    await page.keyboard.press('Enter')
    await page.locator('.notice.good').waitFor()
    expect((await bodyOf('/api/dcim/devices/?name=hh-router')).results?.[0]?.status?.value).toBe('offline')
  })

  it('on the page of an object, with the reason if it is refused', async () => {
    const page = await openSignedIn()
    const vlan = (await bodyOf('/api/ipam/vlans/?limit=1')).results?.[0]
    await page.goto(`/ipam/vlans/${vlan?.id}/`)
    await page.getByRole('button', { name: 'Edit VLAN ID' }).press('Enter')
    const input = panelOf(page).getByRole('spinbutton')
    await input.fill('5000')
    await page.keyboard.press('Enter')
    await panelOf(page).getByRole('alert').waitFor()
    expect((await bodyOf(`/api/ipam/vlans/${vlan?.id}/`)).vid).toBe(vlan?.vid)
    await page.keyboard.press('Escape')
    await panelOf(page).waitFor({ state: 'detached' })
    const description = page.locator('dd[data-inline="description"]')
    if (!(await description.isVisible()))
      await page
        .getByText(/Show \d+ empty field/)
        .first()
        .click()
    await description.dblclick()
    await panelOf(page).getByRole('textbox').fill('for cameras')
    await page.keyboard.press('Enter')
    await page.locator('.notice.good').waitFor()
    expect((await bodyOf(`/api/ipam/vlans/${vlan?.id}/`)).description).toBe('for cameras')
  })

  it('unless somebody else has changed the object meanwhile: then both versions are compared', async () => {
    const page = await openSignedIn()
    const site = (await bodyOf('/api/dcim/sites/?name=Harbour%20House')).results?.[0]
    await page.goto('/dcim/sites/')
    await (await cellOf(page, 'Harbour House', 'Status')).dblclick()
    await panelOf(page).getByRole('combobox').waitFor()
    await api().ask('PATCH', `/api/dcim/sites/${site?.id}/`, { body: { status: 'staging' } })
    await panelOf(page).getByRole('combobox').fill('Retired')
    await page.keyboard.press('Enter')
    await page.getByText('Another user changed this object').waitFor()
    expect((await bodyOf(`/api/dcim/sites/${site?.id}/`)).status?.value).toBe('staging')
  })
})
