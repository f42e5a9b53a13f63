import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, hiddenFields, type PageAnswer, signedInBrowser } from '../sessions/browser.ts'
import { type Api, type Document, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const OTHER = 'An0ther-Horse-Battery'

describe('the pages of an account', () => {
  let api: Api
  let browser: Browser
  beforeAll(async () => {
    api = await startApi()
    browser = await signedInBrowser(api, 'alice', PASSWORD)
  })
  afterAll(() => api.close())

  const send = (path: string, form: Readonly<Record<string, string>>): Promise<PageAnswer> =>
    browser.visit(path, {
      form: { csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '', ...form },
    })

  it.each([...['profile', 'bookmarks', 'notifications', 'subscriptions', 'preferences', 'password'], 'api-tokens'])(
    'user/%s is shown to the user, and others are redirected to the login page',
    async (page) => {
      expect((await browser.visit(`/user/${page}/`)).status).toBe(200)
      const { status, location } = await new Browser(api.url).visit(`/user/${page}/`)
      expect([status, location]).toEqual([303, `/login/?next=${encodeURIComponent(`/user/${page}/`)}`])
    },
  )

  it('a theme is stored in the browser', async () => {
    const { status, location } = await send('/user/theme/', { theme: 'dark', next: '/dcim/sites/' })
    expect([status, location]).toEqual([303, '/dcim/sites/'])
    expect((await browser.visit('/user/profile/')).text).toContain('data-theme="dark"')
    await send('/user/theme/', { theme: 'auto', next: 'https://elsewhere.example/' })
    expect((await browser.visit('/user/profile/')).text).toContain('data-theme="auto"')
  })

  it('the number of objects per page is a preference that the API uses too', async () => {
    await send('/user/preferences/', { per_page: '250' })
    expect((await browser.visit('/user/preferences/')).text).toMatch(/value="250" selected/)
  })

  it('the list of bookmarks contains only those of the user', async () => {
    const { json: site } = await api.ask('POST', '/api/dcim/sites/', {
      body: { name: 'Akron', slug: 'akron' },
    })
    const { json: users } = await api.ask('GET', '/api/users/users/?username=alice')
    const user = users.results?.[0]?.id
    await api.ask('POST', '/api/users/permissions/', {
      body: { name: 'sites', object_types: ['dcim.site'], actions: ['view'], users: [user] },
    })
    const body = { object_type: 'dcim.site', object_id: site.id, user }
    await api.ask('POST', '/api/extras/bookmarks/', { body })
    expect((await browser.visit('/user/bookmarks/')).text).toContain('Akron')
    const id = /name="id" value="(\d+)"/.exec((await browser.visit('/user/bookmarks/')).text)?.[1]
    await send('/user/bookmarks/', { id: id ?? '' })
    expect((await browser.visit('/user/bookmarks/')).text).not.toContain('Akron')
  })

  it.each([
    ['a wrong password', { old: 'wrong', new: OTHER, repeated: OTHER }, 'This is not your password.'],
    ['two different ones', { old: PASSWORD, new: OTHER, repeated: 'x' }, 'not the same'],
    ['a weak one', { old: PASSWORD, new: 'w0rd!x', repeated: 'w0rd!x' }, 'at least 12 characters'],
  ])('%s does not change the password', async (_name, form, message) => {
    const { status, text } = await send('/user/password/', form)
    expect(status).toBe(400)
    expect(text).toContain(message)
    expect(text).not.toContain(form.new)
  })

  it('the rules for passwords are shown in advance, and all violations are listed', async () => {
    const { text } = await browser.visit('/user/password/')
    for (const rule of ['At least 12 characters', 'one digit', 'Not a common password']) {
      expect(text).toMatch(new RegExp(`<li>[^<]*${rule}`))
    }
    const refused = await send('/user/password/', { old: PASSWORD, new: 'x', repeated: 'x' })
    expect(refused.text).toMatch(/<ul class="error" id="field-new-error"><li>Use at least 12 characters\.<\/li><li>/)
  })

  it('the pages of tokens have the menu, the tabs and the number of notifications', async () => {
    await send('/user/api-tokens/', { description: 'mine', version: '1' })
    const list = (await browser.visit('/user/api-tokens/')).text
    const one = /href="(\/user\/api-tokens\/\d+\/)"/.exec(list)?.[1] ?? ''
    for (const text of [list, (await browser.visit(one)).text]) {
      expect(text).toContain('aria-label="Inventory"')
      expect(text).toContain('<a href="/user/api-tokens/" aria-current="page">API tokens</a></li></ul></nav>')
      expect(text).toContain('Notifications: 0 unread')
    }
  })

  it('a token gets the version of the API that was chosen in the form', async () => {
    const versionOf = async (id: string) =>
      (await api.ask('GET', `/api/users/tokens/${id}/?fields=api_version`)).json.api_version?.value ?? null
    const form = { description: 'versioned', version: '1', write_enabled: 'true', enabled: 'true', api_version: '4.6' }
    expect((await send('/user/api-tokens/', form)).status).toBe(201)
    const path = /href="(\/user\/api-tokens\/\d+\/)"/.exec((await browser.visit('/user/api-tokens/')).text)?.[1] ?? ''
    const id = /\d+/.exec(path)?.[0] ?? ''
    expect(await versionOf(id)).toBe('4.6')
    expect((await browser.visit(path)).text).toMatch(/<option value="4\.6" selected/)
    expect((await browser.visit(path)).text).toContain('Same as the service: 4.6')
    expect((await send(path, { ...form, api_version: '9' })).status).toBe(400)
    expect((await send(path, { ...form, api_version: '' })).status).toBe(303)
    expect(await versionOf(id)).toBeNull()
    const options = (await api.ask('OPTIONS', '/api/users/tokens/')).json
    expect(options.actions?.POST?.api_version?.choices?.map(({ value }: Document) => value)).toEqual(
      expect.arrayContaining(['4.6', '4.7']),
    )
  })

  it('the form of a token for administrators keeps and changes the token’s version of the API', async () => {
    const root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    const id = await api.make('users/tokens', { user: 1, api_version: '4.6' })
    const path = `/users/tokens/${id}/edit/`
    const { text } = await root.visit(path)
    expect(text).toMatch(/<select[^>]*name="api_version"[\s\S]*?value="4\.6" selected/)
  })

  it('a new password ends all other sessions', async () => {
    const elsewhere = new Browser(api.url)
    await elsewhere.logIn('alice', PASSWORD)
    const { status } = await send('/user/password/', { old: PASSWORD, new: OTHER, repeated: OTHER })
    expect(status).toBe(303)
    expect((await browser.visit('/user/profile/')).status).toBe(200)
    expect((await elsewhere.visit('/user/profile/')).status).toBe(303)
  })

  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36 Edg/150.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605 Version/26 Safari/605', 'Safari on macOS'],
    ['<b>', 'Unknown browser'],
  ])('a session shows its browser and address, and can be ended alone: %s', async (agent, name) => {
    const elsewhere = new Browser(api.url)
    const { text } = await elsewhere.visit('/login/')
    const form = { ...hiddenFields(text), username: 'alice', password: OTHER }
    await elsewhere.visit('/login/', { form, headers: { 'user-agent': agent } })
    const { text: page } = await browser.visit('/user/profile/')
    const [row = ''] = page.split('<li>').filter((each) => each.includes(`<strong>${name}</strong>`))
    expect(row).toContain('127.0.0.1')
    const [, end = ''] = /name="end" value="(\d+)"/.exec(row) ?? []
    // Not by another user.
    const root = new Browser(api.url)
    await root.logIn('admin', 'admin')
    const token = hiddenFields((await root.visit('/user/profile/')).text)
    await root.visit('/user/profile/', { form: { ...token, end } })
    expect((await elsewhere.visit('/user/profile/')).status).toBe(200)
    await send('/user/profile/', { end })
    expect((await elsewhere.visit('/user/profile/')).status).toBe(303)
    expect((await browser.visit('/user/profile/')).status).toBe(200)
  })

  it.each([
    ['theme', 'dark'],
    ['density', 'comfortable'],
  ])('the menu shows which %s is chosen', async (name, value) => {
    const pressed = async () =>
      [...(await browser.visit('/user/profile/')).text.matchAll(/name="(\w+)" value="(\w+)" aria-pressed="true"/g)]
        .filter(([, each]) => each === name)
        .map(([, , each]) => each)
    expect(await pressed()).toEqual([name === 'theme' ? 'auto' : 'compact'])
    browser.cookies.set(name, value)
    expect(await pressed()).toEqual([value])
    browser.cookies.delete(name)
  })

  it('all other sessions can be ended', async () => {
    const elsewhere = new Browser(api.url)
    await elsewhere.logIn('alice', OTHER)
    await send('/user/profile/', {})
    expect((await elsewhere.visit('/user/profile/')).status).toBe(303)
    expect((await browser.visit('/user/profile/')).status).toBe(200)
  })
})
