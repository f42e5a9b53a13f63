import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, setUp, signIn } from './browser.ts'
import { inBrowser } from './chromium.ts'

const text = (page: Page, name: string) => page.locator(`form.edit [name="${name}"]`)
const picker = (page: Page, name: string) => page.locator(`[data-field="${name}"]`)
const save = (page: Page) => page.locator('.buttons button[name="_save"]').click()

inBrowser('what is typed into a form', () => {
  const { openSignedIn, api } = setUp()

  it.each([
    { title: 'a new site', path: '/dcim/sites/add/', fields: { name: 'Harbour', facility: 'H1' } },
    { title: 'a device', path: '/dcim/devices/1/edit/', fields: { serial: 'SN-4711', description: 'typed' } },
    { title: 'several VLANs', path: '/ipam/vlans/bulk-add/', fields: { description: 'typed' } },
  ])('is offered again after leaving the page: $title', async ({ path, fields }) => {
    const page = await openSignedIn()
    await page.goto(path)
    for (const [name, value] of Object.entries(fields)) await text(page, name).fill(value)
    await page.goto('/dcim/racks/')
    await page.goto(path)
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
    for (const [name, value] of Object.entries(fields)) expect(await text(page, name).inputValue()).toBe(value)
  })

  it('is offered again in a form that has a field called "action", and such a field filters lists', async () => {
    const type = { name: 'valve', slug: 'valves', verbose_name: 'Valve', verbose_name_plural: 'Valves' }
    const custom_object_type = await api().make('plugins/custom-objects/custom-object-types', type)
    for (const name of ['name', 'action']) {
      const field = { custom_object_type, name, type: 'text', primary: name === 'name' }
      await api().make('plugins/custom-objects/custom-object-type-fields', field)
    }
    const page = await openSignedIn()
    await page.goto('/plugins/custom-objects/valves/add/')
    await text(page, 'action').fill('opens')
    await page.goto('/dcim/racks/')
    await page.goto('/plugins/custom-objects/valves/add/')
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => text(page, 'action').inputValue()).toBe('opens')
    await page.goto('/core/changelog/')
    await page.locator('summary', { hasText: 'Action' }).click()
    await choose(page.locator('[name="action"]'), 'Deleted')
    await page.waitForURL(/action=delete/)
  })

  it('is offered again with its choices and relations, and can then be saved', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/add/')
    await text(page, 'name').fill('Mole')
    for (const [name, words] of [
      ['status', 'plann'],
      ['region', 'inner'],
    ] as const) {
      await picker(page, name).getByRole('combobox').fill(words)
      await picker(page, name).locator('li[aria-selected="true"]').waitFor()
      await page.keyboard.press('Enter')
    }
    const region = await picker(page, 'region').getByRole('combobox').inputValue()
    await page.goto('/')
    await page.goto('/dcim/sites/add/')
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => text(page, 'name').inputValue()).toBe('Mole')
    expect(await picker(page, 'region').getByRole('combobox').inputValue()).toBe(region)
    await save(page)
    await page.getByText('was created').waitFor()
    const { json } = await api().ask('GET', '/api/dcim/sites/?name=Mole')
    expect(json.results).toMatchObject([{ status: { value: 'planned' }, region: { display: region.split(' · ')[0] } }])
    // A saved draft is not offered again.
    await page.goto('/dcim/sites/add/')
    await picker(page, 'status').getByRole('combobox').waitFor()
    expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
  })

  it('is not offered again once it is discarded', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/add/')
    await text(page, 'name').fill('Pier')
    await page.goto('/dcim/sites/add/')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goto('/dcim/sites/add/')
    await picker(page, 'status').getByRole('combobox').waitFor()
    expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0)
  })

  it('survives the end of the session', async () => {
    const page = await openSignedIn()
    await page.goto('/dcim/sites/add/')
    await text(page, 'name').fill('Quay')
    await page.context().clearCookies()
    await save(page)
    await page.getByText('Your session has ended').waitFor()
    await signIn(page)
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => text(page, 'name').inputValue()).toBe('Quay')
    await save(page)
    await page.getByText('was created').waitFor()
  })

  it.each([
    { field: 'role', naming: 'name' },
    { field: 'device_type', naming: 'model' },
  ])('stays in a choice that it does not match, and the form is not sent: $field', async ({ field, naming }) => {
    const page = await openSignedIn()
    await page.goto('/dcim/devices/1/edit/')
    const role = picker(page, field)
    await role.getByRole('combobox').fill('no such role')
    await page.keyboard.press('Tab')
    await role.getByText('Nothing matches “no such role”.').waitFor()
    expect(await role.getByRole('combobox').inputValue()).toBe('no such role')
    expect(await role.getByRole('link', { name: 'Create “no such role”' }).getAttribute('href')).toContain(
      `?${naming}=no+such+role`,
    )
    await save(page)
    expect(await role.getByRole('combobox').evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/dcim/devices/1/edit/')
  })

  it('stays in the form of a cable while its far end is searched for', async () => {
    const { json } = await api().ask('GET', '/api/dcim/interfaces/?cabled=false&type=1000base-t&limit=1')
    const page = await openSignedIn()
    await page.goto(`/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations=${json.results?.[0]?.id}`)
    await page.getByText('More fields').click()
    await text(page, 'label').fill('LBL-1')
    await page.getByRole('searchbox', { name: 'Device and port' }).pressSequentially('sw')
    await page
      .getByRole('link', { name: /^Choose / })
      .first()
      .click()
    await page.locator('search.far-end').waitFor({ state: 'detached' })
    expect(await text(page, 'label').inputValue()).toBe('LBL-1')
    await save(page)
    await page.getByText('was created').waitFor()
  })
})
