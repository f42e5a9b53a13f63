import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, firstFound, jsonInView, setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

inBrowser('who may write', () => {
  const { open, openSignedIn, api } = setUp()

  const headingIs = (page: Page, text: string) =>
    expect.poll(() => page.getByRole('heading', { level: 1 }).textContent(), { timeout: 10_000 }).toBe(text)

  const errorAt = (page: Page, field: string) => page.locator(`[data-field="${field}"] .error`)

  it('creates a site, sees an error message, changes the site, reads the record, deletes the site', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/sites/')
    await page.getByRole('link', { name: 'New' }).click()
    await page.getByLabel('Name', { exact: false }).first().fill('Lantern Yard')
    await page.getByLabel('Slug').fill('no slug at all')
    await page.getByRole('combobox', { name: 'Region' }).click()
    await firstFound(page).click()
    await choose(page.getByLabel('Status'), 'Planned')
    await page.getByRole('button', { name: 'Create Site' }).click()
    await errorAt(page, 'slug').waitFor()
    expect(await errorAt(page, 'slug').textContent()).toContain('slug')
    expect(await page.getByLabel('Slug').getAttribute('aria-invalid')).toBe('true')
    expect(await errorAt(page, 'name').count()).toBe(0)

    await page.getByLabel('Slug').fill('lantern-yard')
    await page.getByRole('button', { name: 'Create Site' }).click()
    await headingIs(page, 'Lantern Yard')
    const site = await jsonInView(page, 'JSON')
    expect(site).toMatchObject({ slug: 'lantern-yard', status: { value: 'planned' } })
    expect(site.region).not.toBeNull()

    await page.getByRole('link', { name: 'Change', exact: true }).click()
    await page.getByLabel('Facility').fill('Quay 4')
    await page.getByRole('combobox', { name: 'Region' }).fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/api\/dcim\/sites\/\d+\/$/)
    const path = new URL(page.url()).pathname
    const changed = await api().ask('GET', path)
    expect(changed.json).toMatchObject({ facility: 'Quay 4', region: null, slug: 'lantern-yard' })

    await page.getByRole('link', { name: 'Changes', exact: true }).click()
    await page.waitForURL(/object-changes/)
    expect(await page.getByRole('rowheader').count()).toBe(2)

    await page.goto(path)
    await page.getByRole('link', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete Lantern Yard' }).click()
    await page.waitForURL(/\/api\/dcim\/sites\/$/)
    expect((await api().ask('GET', path)).status).toBe(404)
  })

  it('sees why an object cannot be deleted', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/manufacturers/1/?_view=delete')
    await page.getByRole('button', { name: /^Delete / }).click()
    const refusal = page.getByRole('alert')
    await expect.poll(() => refusal.textContent()).toMatch(/\w/)
    expect((await api().ask('GET', '/api/dcim/manufacturers/1/')).status).toBe(200)
  })

  it('sends a body exactly as typed', async () => {
    const page = await openSignedIn()
    await page.goto('/api/extras/tags/?_view=new')
    await page.locator('summary', { hasText: 'Raw JSON' }).click()
    await page.getByLabel('Body').fill('{"name": "Raw", "slug": "raw"')
    await page.getByRole('button', { name: 'POST' }).click()
    await expect.poll(() => page.locator('form.raw .refusal').textContent()).toContain('JSON')
    await page.getByLabel('Body').fill('{"name": "Raw", "slug": "raw"}')
    await page.getByRole('button', { name: 'POST' }).click()
    await headingIs(page, 'Raw')
  })

  it('enters every kind of value of a device', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/devices/1/?_view=change')
    await page.getByLabel('Position (U)').fill('10.5')
    await page.getByRole('combobox', { name: 'Face' }).fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.error').first().waitFor()
    await choose(page.getByLabel('Face'), 'Front')
    await page.getByLabel('Position (U)').fill('10')
    await page.getByLabel('Serial number').fill('0042')
    await page.getByLabel('Local context data').fill('{"a": [1]}')
    await page.getByLabel('Comments').fill('Two\nlines')
    await page.getByRole('combobox', { name: 'Tags' }).click()
    await firstFound(page).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/api\/dcim\/devices\/1\/$/)
    const { json } = await api().ask('GET', '/api/dcim/devices/1/')
    expect(json).toMatchObject({
      position: 10,
      serial: '0042',
      local_context_data: { a: [1] },
      comments: 'Two\nlines',
      tags: [{ id: expect.any(Number) }],
    })
  })

  it('uploads a picture', async () => {
    const page = await openSignedIn()
    await page.goto('/api/dcim/device-types/1/?_view=change')
    await page.getByLabel('Front image').setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer: ONE_PIXEL })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/api\/dcim\/device-types\/1\/$/)
    const { json } = await api().ask('GET', '/api/dcim/device-types/1/')
    expect(json.front_image).toMatch(/\/media\/.*front.*\.png$/)
  })

  it('chooses a type, then an object of this type', async () => {
    const page = await openSignedIn()
    await page.goto('/api/ipam/ip-addresses/?_view=new')
    await page.getByLabel('Address', { exact: false }).first().fill('203.0.113.77/24')
    await choose(page.getByLabel('Assigned object type'), 'DCIM › Interface')
    await page.getByRole('combobox', { name: 'Assigned object id' }).click()
    await firstFound(page).click()
    await page.getByRole('button', { name: /^Create/ }).click()
    await headingIs(page, '203.0.113.77/24')
    const address = await jsonInView(page, 'JSON')
    expect(address).toMatchObject({ assigned_object_type: 'dcim.interface' })
  })

  it('takes the next free addresses of a prefix', async () => {
    const page = await openSignedIn()
    const { json } = await api().ask('GET', '/api/ipam/prefixes/?mask_length=24&limit=1')
    await page.goto(`/api/ipam/prefixes/${json.results?.[0]?.id}/`)
    await page.getByRole('link', { name: 'Available IPs' }).click()
    await page.getByLabel('Body').fill('[{"description": "first"}, {"description": "second"}]')
    await page.getByRole('button', { name: 'POST' }).click()
    const answer = page.getByLabel('Answer', { exact: true })
    await answer.waitFor()
    const made = JSON.parse((await answer.textContent()) ?? '')
    expect(made).toMatchObject([{ description: 'first' }, { description: 'second' }])
  })

  it('enters custom fields, each in a field of its own', async () => {
    const fields = [
      { name: 'twin', type: 'object', related_object_type: 'dcim.site' },
      { name: 'floors', type: 'integer', validation_maximum: 9 },
    ]
    for (const field of fields) {
      const body = { ...field, object_types: ['dcim.site'] }
      expect((await api().ask('POST', '/api/extras/custom-fields/', { body })).status).toBe(201)
    }
    await api().ask('PATCH', '/api/dcim/sites/1/', { body: { custom_fields: { keeper: 'Ann' } } })
    const page = await openSignedIn()
    await page.goto('/api/dcim/sites/1/?_view=change')
    await page.getByRole('combobox', { name: 'Twin' }).click()
    await firstFound(page).click()
    await page.getByLabel('Floors').fill('12')
    await page.getByRole('button', { name: 'Save' }).click()
    await errorAt(page, 'custom_fields.floors').waitFor()
    await page.getByLabel('Floors').fill('3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/api\/dcim\/sites\/1\/$/)
    const changed = await api().ask('GET', '/api/dcim/sites/1/')
    expect(changed.json.custom_fields).toMatchObject({
      keeper: 'Ann',
      floors: 3,
      twin: { id: expect.any(Number) },
    })
  })

  it('creates a token and uses it', async () => {
    const page = await openSignedIn()
    await page.goto('/')
    await page.locator('.user-menu > summary').click()
    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByLabel('Description').fill('From the browser')
    await page
      .getByRole('main')
      .getByRole('button', { name: /create/i })
      .click()
    const key = (await page.locator('.secret').textContent())?.trim() ?? ''
    const version = key.startsWith('nbt_') ? 'Bearer' : 'Token'
    const answer = await api().ask('GET', '/api/dcim/sites/', {
      token: null,
      headers: { authorization: `${version} ${key}` },
    })
    expect(answer.status).toBe(200)
  })

  it('is offered only what the permissions allow', async () => {
    const created = await api().ask('POST', '/api/users/users/', {
      body: { username: 'reader', password: 'Read-only-pass-1' },
    })
    await api().ask('POST', '/api/users/permissions/', {
      body: {
        name: 'read sites',
        object_types: ['dcim.site'],
        actions: ['view'],
        users: [created.json.id],
      },
    })
    const page = await open()
    await page.goto('/login/?next=/api/dcim/sites/1/')
    await page.getByLabel('User name').fill('reader')
    await page.getByLabel('Password').fill('Read-only-pass-1')
    await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
    const tabs = page.getByRole('navigation', { name: 'Views' })
    expect(await tabs.getByRole('link').allTextContents()).toEqual(['Read', 'JSON', 'Options'])
    const refused = await page.goto('/api/dcim/devices/')
    expect(refused?.status()).toBe(403)
    await page.goto('/')
    expect(await page.locator('.widget .counts li').allTextContents()).toEqual(['Sites 3'])
  })
})

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
