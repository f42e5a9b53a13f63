import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

/** Forms with choices, relations, types and tags, by address. */
const FORMS = [
  '/dcim/sites/add/',
  '/dcim/devices/1/edit/',
  '/dcim/interfaces/1/edit/',
  '/dcim/cables/add/',
  '/dcim/cables/connect/?a_device=1&a_type=dcim.interface&b_device=2&b_type=dcim.interface',
  '/ipam/ip-addresses/add/',
  '/extras/custom-fields/add/',
  '/dcim/sites/import/',
  '/dashboard/widget/?kind=cadastre.UtilizationWidget',
  '/user/preferences/',
  '/user/api-tokens/',
]

/** Part of the field of that name. */
const parts = (page: Page, name: string) => {
  const field = page.locator(`[data-field="${name}"]`)
  return { field, select: field.locator('select'), input: field.getByRole('combobox') }
}

inBrowser('choices in forms', () => {
  const { openSignedIn, api } = setUp()

  const expectComboboxes = async (page: Page): Promise<void> => {
    const fields = page.locator('main .field')
    // Fields in folds become comboboxes when these open.
    await page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
    await expect.poll(() => fields.locator('select:not([hidden])').count()).toBe(0)
    expect(await fields.locator('[role="combobox"]').count()).toBeGreaterThan(0)
  }

  it.each(FORMS)('are all comboboxes at %s', async (path) => {
    const page = await openSignedIn()
    await page.goto(path)
    await expectComboboxes(page)
  })

  it('are all comboboxes in the form for several objects', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.locator('form.bulk').waitFor()
    await page.waitForLoadState()
    await expectComboboxes(page)
  })

  it.each(FORMS.slice(0, 4))('are lists without scripts at %s', async (path) => {
    const page = await openSignedIn({ javaScriptEnabled: false })
    await page.goto(path)
    expect(await page.locator('main .field select:visible').count()).toBeGreaterThan(1)
    expect(await page.locator('[data-field] [role="combobox"]').count()).toBe(0)
  })

  it.each([
    { title: 'the first letters and Tab', keys: ['p', 'l', 'Tab'], value: 'planned', next: true },
    { title: 'the first letters and Enter', keys: ['r', 'Enter'], value: 'retired' },
    { title: 'an inner part', keys: ['i', 's', 's', 'i', 'o', 'n', 'Enter'], value: 'decommissioning' },
    { title: 'arrow keys from the present value', keys: ['ArrowDown', 'ArrowUp', 'Enter'], value: 'staging' },
    { title: 'arrow keys and Tab', keys: ['ArrowDown', 'ArrowDown', 'Tab'], value: 'decommissioning', next: true },
    { title: 'letters once more after a choice', keys: ['r', 'Enter', 'p', 'Enter'], value: 'planned' },
    { title: 'Escape, which keeps the value', keys: ['r', 'Escape'], value: 'active' },
    { title: 'Tab alone, which keeps the value', keys: ['ArrowDown', 'Tab'], value: 'active', next: true },
    { title: 'deleting a value that may not be empty', keys: ['Delete', 'Tab'], value: 'active', next: true },
  ])('are made with $title', async ({ keys, value, next = false }) => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/add/')
    const { input, select } = parts(page, 'status')
    await input.focus()
    for (const key of keys) await page.keyboard.press(key)
    expect(await select.inputValue()).toBe(value)
    expect(await input.getAttribute('aria-expanded')).toBe('false')
    expect((await input.inputValue()).toLowerCase()).toBe(value)
    expect(await input.evaluate((element) => element.matches(':focus'))).toBe(!next)
  })

  it('are emptied by deleting the text, or with the button beside it', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/1/edit/')
    const { field, input, select } = parts(page, 'face')
    expect(await select.inputValue()).toBe('front')
    await input.focus()
    await page.keyboard.press('Delete')
    expect(await select.inputValue()).toBe('')
    await choose(input, 'Rear')
    expect(await select.inputValue()).toBe('rear')
    await field.getByRole('button', { name: 'Clear' }).click()
    expect(await select.inputValue()).toBe('')
    // A status must have a value, so it has no such button.
    expect(await parts(page, 'status').field.getByRole('button').count()).toBe(0)
  })

  it('tell assistive technology what is open and marked', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/add/')
    const { input } = parts(page, 'status')
    expect(await input.getAttribute('aria-expanded')).toBe('false')
    await input.click()
    expect(await input.getAttribute('aria-expanded')).toBe('true')
    const list = page.locator(`#${await input.getAttribute('aria-controls')}`)
    const marked = list.locator(`#${await input.getAttribute('aria-activedescendant')}`)
    expect(await marked.textContent()).toBe('Active')
    expect(await marked.getAttribute('aria-selected')).toBe('true')
    expect(await list.getByRole('option').count()).toBe(5)
  })

  it('wait for the matches of a search when Enter is pressed before they come', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/cables/add/')
    const { input, select } = parts(page, 'a_terminations')
    await page.route('**/choices/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await input.focus()
    await page.keyboard.type('hh-switch ge-0/2')
    await page.keyboard.press('Enter')
    const chosen = select.locator('option:checked')
    await expect.poll(() => chosen.allTextContents()).toHaveLength(1)
    expect(await chosen.textContent()).toContain('ge-0/2')
  })

  it.each([
    { form: 'extras/event-rules', relation: 'action_object', name: 'chat', type: 'Webhook' },
    { form: 'ipam/ip-addresses', relation: 'assigned_object', name: 'ge-0/2', type: 'Interface' },
    { form: 'tenancy/contact-assignments', relation: 'object', name: 'Harbour House', type: 'Site' },
  ])('find objects of all types that a relation accepts, in $form', async ({ form, relation, name, type }) => {
    if (name === 'chat') await api().make('extras/webhooks', { name, payload_url: 'https://hooks.example/' })
    const page = await openSignedIn()
    await page.goto(`/${form}/add/`)
    const { field, input } = parts(page, relation)
    await input.fill(name)
    await field.getByRole('option', { name: type }).first().click()
    expect(await input.inputValue()).toMatch(new RegExp(`${name}.* · ${type}$`))
    expect(await input.evaluate((element) => element.matches(':focus'))).toBe(true)
  })

  it.each([
    { title: 'in the order', order: [0, 1] },
    { title: 'in the reverse order', order: [1, 0] },
  ])('follow the type that was chosen last when the responses come $title of the choices', async ({ order }) => {
    const page = await openSignedIn()
    const held = await holdRefreshes(page)
    await page.goto('/dcim/cables/add/')
    const { input } = parts(page, 'a_terminations_type')
    await choose(input, 'Front port')
    await choose(input, 'Interface')
    await expect.poll(() => held.length).toBe(2)
    for (const index of order) await held[index]?.()
    await choose(parts(page, 'a_terminations').input, 'ge-0/2')
  })
})

/** Holds the requests of a form for renewed fields; the functions of the list, which grows with each request, answer them. */
async function holdRefreshes(page: Page): Promise<readonly (() => Promise<void>)[]> {
  const held: (() => Promise<void>)[] = []
  await page.route('**/add/', async (route) => {
    if (route.request().postData()?.includes('name="_refresh"')) {
      held.push(async () => await route.fulfill({ response: await route.fetch() }))
    } else await route.continue()
  })
  return held
}
