import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createdId } from '../support/requests.ts'
import { choose, setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'
import { graveIssues } from './grave-issues.ts'

const FORM = '/extras/computed-fields/add/'

/** Parts of the form of a computed field. */
const parts = (page: Page) => {
  const field = page.locator('[data-field="expression"]')
  return {
    area: field.locator('textarea'),
    list: field.getByRole('listbox'),
    option: (name: string) => field.getByRole('option').filter({ has: page.getByText(name, { exact: true }) }),
    result: field.getByRole('status'),
  }
}

async function openForm(page: Page, type = 'Site') {
  await page.goto(FORM)
  await choose(page.locator('[data-field="object_type"]').getByRole('combobox'), type)
  const opened = parts(page)
  await opened.area.click()
  return opened
}

const DEVICES = [
  { title: 'at a desk', options: {} },
  { title: 'on a phone', options: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true } },
]

inBrowser('the expression of a computed field', () => {
  const { openSignedIn, api } = setUp()

  it.each(DEVICES)(
    'is written with suggestions, the place of errors and values, $title',
    async ({ title, options }) => {
      const page = await openSignedIn(options)
      const { area, list, option, result } = await openForm(page)
      await option('name').waitFor()
      expect(await graveIssues(page)).toEqual([])
      await area.focus()
      await area.pressSequentially('upp')
      await option('upper(text)').waitFor()
      if ('hasTouch' in options) await option('upper(text)').tap()
      else await page.keyboard.press('Enter')
      await eventually(async () => expect(await area.inputValue()).toBe('upper()'))
      await area.pressSequentially('region.na')
      await option('name').and(page.locator('[aria-selected="true"]')).waitFor()
      await page.keyboard.press('Tab')
      expect(await area.inputValue()).toBe('upper(region.name)')
      await list.waitFor({ state: 'hidden' })
      await eventually(async () => expect(await result.innerText()).toMatch(/Result: Text\s+.*[A-Z ]{5,}/s))
      expect(await result.locator('li').count()).toBe(3)
      await page.keyboard.press('End')
      await area.pressSequentially(' + 1')
      await eventually(async () => expect(await result.innerText()).toContain('Character 1: A number is expected'))
      expect(await result.locator('mark').innerText()).toBe('upper')
      expect(await graveIssues(page)).toEqual([])
      await area.fill('count(racks)')
      await eventually(async () => expect(await result.innerText()).toContain('Result: Integer'))
      const name = `racks_${title.replaceAll(' ', '_')}`
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('button', { name: 'Create computed field' }).click()
      await page.waitForURL(/computed-fields\/\d+\//)
      const { json } = await api().ask('GET', `/api/extras/computed-fields/?name=${name}`)
      expect(json.results).toMatchObject([{ expression: 'count(racks)', result_type: { value: 'integer' } }])
    },
  )

  it.each([
    { title: 'arrow keys', keys: ['s', 'l', 'ArrowDown', 'ArrowUp', 'Enter'], value: 'slug' },
    { title: 'the first letters and Tab', keys: ['s', 'l', 'u', 'Tab'], value: 'slug' },
    { title: 'a function without values', keys: ['t', 'o', 'd', 'a', 'Enter'], value: 'today()' },
    { title: 'Escape, which keeps the text', keys: ['s', 'l', 'Escape', 'Enter'], value: 'sl\n' },
    {
      title: 'Ctrl+Space',
      keys: ['n', 'a', 'm', 'e', 'Escape', 'Backspace', 'Escape', 'Control+ ', 'Enter'],
      value: 'name',
    },
  ])('takes a name with $title', async ({ keys, value }) => {
    const page = await openSignedIn()
    const { area, list } = await openForm(page)
    await list.waitFor()
    for (const key of keys) {
      await page.keyboard.press(key)
      // A person sees the names before choosing one; keys pressed earlier are tested above.
      if (/^[a-z]$|^Control/.test(key))
        await list
          .locator('[aria-selected="true"]')
          .waitFor({ timeout: 1_000 })
          .catch(() => undefined)
    }
    await eventually(async () => expect(await area.inputValue()).toBe(value))
    expect(await area.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  it('lets Tab leave the field if no name is marked', async () => {
    const page = await openSignedIn()
    const { area, list } = await openForm(page)
    await list.waitFor()
    await area.press('Tab')
    expect(await area.evaluate((element) => element.matches(':focus'))).toBe(false)
    await list.waitFor({ state: 'hidden' })
  })

  it('asks for the object type first', async () => {
    const page = await openSignedIn()
    await page.goto(FORM)
    const { area, result } = parts(page)
    await area.fill('name')
    await eventually(async () => expect(await result.innerText()).toBe('Choose the object type first.'))
    await choose(page.locator('[data-field="object_type"]').getByRole('combobox'), 'Site')
    await eventually(async () => expect(await result.innerText()).toContain('Harbour House'))
  })

  it('is in the language of the page', async () => {
    const page = await openSignedIn({ locale: 'de-DE' })
    const { area, option, result } = await openForm(page, 'Standort')
    await area.pressSequentially('upp')
    await page.getByText('Der Text in Großbuchstaben').waitFor()
    await area.fill('1 + ')
    await eventually(async () => expect(await result.innerText()).toContain('Zeichen 5:'))
    await area.fill('reg')
    await option('region').waitFor()
  })

  it('is a plain text without scripts', async () => {
    const page = await openSignedIn({ javaScriptEnabled: false })
    await page.goto(FORM)
    expect(await parts(page).area.count()).toBe(1)
    expect(await parts(page).list.count()).toBe(0)
  })
})

inBrowser('a note to a user', () => {
  const { openSignedIn, api } = setUp()

  it('offers the names of users after an @', async () => {
    for (const username of ['wilma', 'wilfred'])
      await createdId(api(), 'users/users', { username, password: 'Long-enough-1', first_name: 'Given' })
    const page = await openSignedIn()
    await page.goto('/dcim/sites/1/journal/')
    const area = page.locator('textarea[name="comments"]')
    await area.pressSequentially('mail@wil and @wil')
    const names = page.getByRole('listbox', { name: 'Users' })
    await eventually(async () => expect(await names.getByRole('option').count()).toBe(2))
    expect(await graveIssues(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await area.pressSequentially('look')
    expect(await area.inputValue()).toBe('mail@wil and @wilma look')
    expect(await names.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Add entry' }).click()
    await page.locator('.notice.good').waitFor()
    const { json } = await api().ask('GET', '/api/extras/journal-entries/')
    expect(json.results).toMatchObject([{ comments: 'mail@wil and @wilma look' }])
  })
})
