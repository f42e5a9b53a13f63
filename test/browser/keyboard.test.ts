import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { firstFound, setUp, signIn } from './browser.ts'
import { inBrowser } from './chromium.ts'

/** Presses Tab until the element with this accessible name has the focus. */
async function tabTo(page: Page, role: 'button' | 'checkbox' | 'link' | 'textbox', name: RegExp) {
  const wanted = page.getByRole(role, { name }).first()
  for (let presses = 0; presses < 150; presses++) {
    if (await wanted.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${role} ${name} cannot be reached`)
}

const focused = async (page: Page): Promise<string> => (await page.locator(':focus').textContent())?.trim() ?? ''

inBrowser('by keyboard alone a user', () => {
  const { open, openSignedIn, api } = setUp()

  it('goes to a list, to an object and to recent pages with Ctrl+K', async () => {
    const page = await openSignedIn()
    const list = page.getByRole('listbox', { name: 'Matches' })
    const choose = async (text: string, option: RegExp) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      await list.getByRole('option', { name: option }).first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await page.goto('/')
    await choose('hh-router', /^hh-router/)
    await page.waitForURL(/\/\d+\/$/)
    await choose('rack elev', /^Rack elevations/)
    await page.waitForURL(/rack-elevations/)
    await page.keyboard.press('Control+k')
    await list.getByRole('option', { name: /^hh-router/ }).waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
  })

  it.each([
    { locale: 'en', text: 'tutorial', option: /^Tutorial/, address: /start\/tutorial/ },
    { locale: 'en', text: 'sample', option: /^Sample network/, address: /start\/sample/ },
    { locale: 'en', text: 'import', option: /^Import from NetBox/, address: /start\/netbox/ },
    { locale: 'en', text: 'import devices', option: /^Import Devices/, address: /devices\/import/ },
    { locale: 'en', text: 'guides', option: /^Guides/, address: /docs\/$/ },
    { locale: 'de', text: 'beispielnetz', option: /^Beispielnetz/, address: /start\/sample/ },
    { locale: 'de', text: 'sample', option: /^Beispielnetz/, address: /start\/sample/ },
    { locale: 'de', text: 'geräte importieren', option: /^Geräte importieren/, address: /devices\/import/ },
  ])('finds the first steps with Ctrl+K: $text ($locale)', async ({ locale, text, option, address }) => {
    const page = await openSignedIn({ locale })
    await page.goto('/')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await page.getByRole('option', { name: option }).first().click()
    await page.waitForURL(address)
  })

  it('keeps the match that is chosen when objects are found later', async () => {
    const page = await openSignedIn()
    await page.goto('/')
    const search = Promise.withResolvers<void>()
    await page.route('**/search/suggestions/**', async (route) => {
      await search.promise
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('device ro')
    const chosen = page.getByRole('option', { name: /^Device roles/ })
    await chosen.waitFor()
    await page.keyboard.press('ArrowDown')
    const answered = page.waitForResponse('**/search/suggestions/**')
    search.resolve()
    await answered
    await page.getByRole('option').nth(1).waitFor()
    expect(await chosen.getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    await page.waitForURL(/device-roles/)
  })

  it('saves the form of several objects with Ctrl+Enter, as with its button', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const description = page.getByRole('main').getByLabel('Description', { exact: true }).first()
    await description.fill('by keyboard')
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await api().ask('GET', '/api/dcim/devices/?description=by%20keyboard')).json.count)
      .toBe(2)
  })

  it('goes to lists with two keys, which ? shows', async () => {
    const page = await openSignedIn()
    await page.goto('/')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(await help.textContent()).toContain('Racks')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForURL(/\/dcim\/racks\/$/)
  })

  it('walks through a list, looks at a row, selects it and opens it', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    const name = (await page.getByRole('rowheader').nth(1).textContent())?.trim() ?? ''
    for (const key of ['j', 'j', 'x', 'Space']) await page.keyboard.press(key)
    await page.getByRole('complementary', { name }).getByText('Device type').first().waitFor()
    expect(await page.getByRole('checkbox', { name: `Select ${name}` }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name }).waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dcim\/devices\/\d+\/$/)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(name)
  })

  it('collapses the menu, which stays collapsed', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    const link = page.locator('.sidebar').getByRole('link', { name: 'Devices', exact: true })
    await link.waitFor()
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    await link.waitFor({ state: 'hidden' })
    await page.reload()
    await link.waitFor({ state: 'hidden' })
    await page.locator('.sidebar summary[title="IPAM"]').press('Enter')
    await page.locator('.sidebar').getByRole('link', { name: 'Prefixes', exact: true }).waitFor()
    await page.goto('/dcim/racks/')
    // The subject that one leaves closes.
    await page.locator('.sidebar').getByRole('link', { name: 'Racks', exact: true }).waitFor()
    expect(await page.locator('.sidebar').getByRole('link', { name: 'Prefixes', exact: true }).isVisible()).toBe(false)
  })

  it('runs commands from the search box, and offers the last one again', async () => {
    // Its own session, which the last command ends.
    const page = await open()
    await page.goto('/login/')
    await signIn(page)
    const run = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await page.goto('/dcim/sites/')
    await run('theme dark')
    await page.locator('html[data-theme="dark"]').waitFor()
    // On the same page as before.
    expect(new URL(page.url()).pathname).toBe('/dcim/sites/')
    await page.keyboard.press('Control+k')
    // A theme that is already chosen is not offered again.
    expect(await page.getByRole('option', { name: 'Theme: Dark' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await run('theme light')
    await page.locator('html[data-theme="light"]').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Theme: Dark Command' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.in-list tbody .select input').first().check()
    await run('edit: 1 selected')
    await page.waitForURL('**/dcim/sites/edit/')
    await run('log out')
    await page.getByRole('link', { name: 'Log in' }).first().waitFor()
  })

  it('goes to an object through the suggestions of the search box, or to all results', async () => {
    const page = await openSignedIn()
    await page.goto('/')
    await page.keyboard.press('/')
    await page.keyboard.type('hh-router')
    const list = page.getByRole('listbox', { name: 'Matches' })
    const option = list.getByRole('option', { name: /^hh-router.* · .* Device$/ }).first()
    await option.waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    expect(await page.locator(':focus').inputValue()).toBe('hh-router')
    await page.keyboard.press('Backspace')
    await option.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/\d+\/$/)
    await page.goto('/')
    await page.keyboard.press('/')
    await page.keyboard.type('hh-router')
    await option.waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dcim\/devices\/\d+\/$/)
    await page.keyboard.press('/')
    await page.keyboard.type('hh-router')
    await option.waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\/\?q=hh-router$/)
  })

  it('goes from the list of problems to each field, whose message is not covered', async () => {
    const page = await openSignedIn({ viewport: { width: 1000, height: 500 } })
    await page.goto('/dcim/devices/add/')
    await page.locator('summary', { hasText: /^More fields/ }).click()
    await page.getByLabel('Latitude').fill('1000')
    await page.getByLabel('Name', { exact: true }).press('Enter')
    const links = page.getByRole('alert').getByRole('link')
    await links.first().waitFor()
    const names = await links.allTextContents()
    expect(names).toEqual(expect.arrayContaining(['Site', 'Latitude']))
    const bar = page.locator('.buttons.sticky')
    for (const name of names) {
      await links.getByText(name, { exact: true }).focus()
      await page.keyboard.press('Enter')
      const message = page.locator('.field', { has: page.locator(':focus') }).locator('.error')
      const [shown, covering] = [await message.boundingBox(), await bar.boundingBox()]
      expect(shown?.y).toBeGreaterThan(0)
      expect(Number(shown?.y) + Number(shown?.height)).toBeLessThanOrEqual(Number(covering?.y))
    }
  })

  it('chooses an object in a filter, and removes it again', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    await page.locator('[data-filter="site_id"] > summary').focus()
    await page.keyboard.press('Enter')
    const tag = page.getByRole('combobox', { name: 'Site', exact: true })
    await tag.focus()
    await page.keyboard.press('ArrowDown')
    await firstFound(page).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await page.locator('select[name=site_id]').inputValue()).not.toBe('')
    await page.keyboard.press('Backspace')
    expect(await page.locator('select[name=site_id]').inputValue()).toBe('')
  })

  it('selects objects of a list and opens the form for them', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    await tabTo(page, 'checkbox', /^Select all/)
    await page.keyboard.press('Space')
    const boxes = page.locator('tbody input[type=checkbox]')
    expect(await page.locator('tbody input:checked').count()).toBe(await boxes.count())
    await page.getByRole('button', { name: 'Edit', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.locator('form.bulk').waitFor()
  })

  it('moves and shows columns', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/columns/')
    const rows = page.locator('.sortable li')
    const second = (await rows.nth(1).locator('label').textContent())?.trim() ?? ''
    await page.getByRole('button', { name: `Move ${second} up` }).focus()
    await page.keyboard.press('Enter')
    expect((await rows.first().locator('label').textContent())?.trim()).toBe(second)
    expect(await focused(page)).toBe('↑')
    await tabTo(page, 'button', /^Save$/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dcim\/sites\/(\?|$)/)
    expect((await page.getByRole('columnheader').allTextContents()).join(' ')).toContain(second)
  })

  it('fills in a form with lists, searches and a slug', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/add/')
    await tabTo(page, 'textbox', /^Name/)
    await page.keyboard.type('Keyboard Yard')
    expect(await page.getByLabel('Slug').inputValue()).toBe('keyboard-yard')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dcim\/sites\/\d+\//)
    const { json } = await api().ask('GET', '/api/dcim/sites/?slug=keyboard-yard')
    expect(json.count).toBe(1)
  })

  it('imports a text after its preview', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/import/')
    await tabTo(page, 'textbox', /^Text/)
    await page.keyboard.insertText('name,slug,status\nTyped,typed,active')
    await tabTo(page, 'button', /^Preview/)
    await page.keyboard.press('Enter')
    await page.getByText('1 to create').waitFor()
    await tabTo(page, 'button', /^Import/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/modified_by_request/)
  })

  it('triggers nothing by accident: Escape closes menus and keeps the focus', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    const columns = page.locator('summary', { hasText: /^Columns/ })
    await columns.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    expect(await focused(page)).toMatch(/^Columns/)
  })

  it('chooses among many types by typing, and removes one again', async () => {
    const page = await openSignedIn()
    await page.goto('/extras/tags/add/')
    await page.getByRole('combobox', { name: 'Object types' }).focus()
    for (const word of ['rack res', 'device']) {
      await page.keyboard.type(word)
      await firstFound(page).waitFor()
      await page.keyboard.press('Enter')
    }
    const chosen = async () =>
      (
        await page
          .locator('select[name=object_types] option:checked')
          .evaluateAll((options) => options.map((option) => option.getAttribute('value')))
      ).toSorted()
    expect(await chosen()).toEqual(['dcim.device', 'dcim.rackreservation'])
    await page.getByRole('button', { name: /^Remove Rack/ }).press('Enter')
    expect(await chosen()).toEqual(['dcim.device'])
  })

  it('finds rare fields of a form collapsed unless they have a value', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/add/?latitude=1')
    await page.getByLabel('Latitude').waitFor()
    await page.getByLabel('Longitude').waitFor({ state: 'hidden' })
    await page.locator('summary', { hasText: /^More fields/ }).press('Enter')
    await page.getByLabel('Longitude').waitFor()
  })

  it('closes the menu of a filter with Escape and with a click elsewhere', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    const dropdown = page.locator('[data-filter="status"]')
    const isOpen = () => dropdown.evaluate((details) => details.hasAttribute('open'))
    await dropdown.locator('summary').click()
    expect(await isOpen()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await isOpen()).toBe(false)
    await dropdown.locator('summary').click()
    await page.locator('h1').click()
    expect(await isOpen()).toBe(false)
  })
})
