import { expect, it } from 'vitest'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'

inBrowser('who may write', () => {
  const { open, openSignedIn, api } = setUp()

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
    expect(await page.locator('main form').count()).toBe(0)
    const refused = await page.goto('/api/dcim/devices/')
    expect(refused?.status()).toBe(403)
    await page.goto('/')
    expect(await page.locator('.widget .counts li').allTextContents()).toEqual(['Sites 5'])
  })
})
