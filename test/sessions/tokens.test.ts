import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'
import { Browser, hiddenFields, type PageAnswer } from './browser.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const PAGE = '/user/api-tokens/'
/** The form as it is sent without changes. */
const FORM = {
  description: '',
  expires: '',
  allowed_ips: '',
  write_enabled: 'true',
  enabled: 'true',
}

describe('the page of tokens', () => {
  let api: Api
  let browser: Browser
  let alice: number
  beforeAll(async () => {
    api = await startApi()
    alice = await makeUser('alice')
    browser = new Browser(api.url)
    await browser.logIn('alice', PASSWORD)
  })
  afterAll(() => api.close())

  const makeUser = async (username: string): Promise<number> => {
    const body = { username, password: PASSWORD }
    return Number((await api.ask('POST', '/api/users/users/', { body })).json.id)
  }
  /** Submits a form of the page, with its hidden fields. */
  const send = (path: string, form: Readonly<Record<string, string>>): Promise<PageAnswer> =>
    browser.visit(path, {
      form: { csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '', ...form },
    })
  /** The newest token of a user. */
  const newest = async (user: number): Promise<Document> => {
    const { json } = await api.ask('GET', `/api/users/tokens/?user_id=${user}&ordering=-id&limit=1`)
    return JSON.parse(JSON.stringify(json.results?.[0] ?? null))
  }
  const keyOf = ({ text }: PageAnswer): string => /class="secret">([^<]*)</.exec(text)?.[1] ?? ''
  const knock = (authorization: string, method = 'GET') =>
    api.ask(method, '/api/users/users/', {
      token: null,
      headers: { authorization },
      body: undefined,
    })

  it('users who have not signed in are redirected to the login page', async () => {
    const { status, location } = await new Browser(api.url).visit(PAGE)
    expect([status, location]).toEqual([303, `/login/?next=${encodeURIComponent(PAGE)}`])
  })

  it('the form contains the CSRF token', async () => {
    const { text, headers } = await browser.visit(PAGE)
    expect(hiddenFields(text).csrfmiddlewaretoken).toBe(browser.cookies.get('csrftoken'))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=| style=/)
  })

  it.each([
    ['1', /^[0-9a-f]{40}$/, 'Token'],
    ['2', /^nbt_[0-9a-zA-Z]{12}\.[0-9a-zA-Z]{40}$/, 'Bearer'],
  ])('the full token of version %s is shown once, and is valid', async (version, form, scheme) => {
    const made = await send(PAGE, {
      ...FORM,
      version,
      description: `for <b>version ${version}</b>`,
    })
    expect(made.status).toBe(201)
    const key = keyOf(made)
    expect(key).toMatch(form)
    expect(made.text).toContain(`for &lt;b&gt;version ${version}&lt;/b&gt;`)
    const { json } = await api.ask('GET', '/api/authentication-check/', {
      token: null,
      headers: { authorization: `${scheme} ${key}` },
    })
    expect(json.username).toBe('alice')
    expect((await browser.visit(PAGE)).text).not.toContain(key)
  })

  it('limits match those in the form', async () => {
    const made = await send(PAGE, {
      ...FORM,
      description: 'limited',
      expires: '2099-12-31T23:59',
      allowed_ips: '10.0.0.0/8\n2001:db8::/32, 127.0.0.1/32',
      write_enabled: '',
    })
    expect(made.status).toBe(201)
    expect(await newest(alice)).toMatchObject({
      description: 'limited',
      expires: '2099-12-31T23:59:00Z',
      allowed_ips: ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1/32'],
      write_enabled: false,
      enabled: true,
      user: { id: alice },
    })
    const authorization = `Token ${keyOf(made)}`
    const statuses = [await knock(authorization, 'POST'), await knock(authorization)]
    expect(statuses.map(({ status }) => status)).toEqual([403, 403])
  })

  // input → field with the error
  it.each([
    ['expires', '2001-01-01T00:00', '2001-01-01T00:00'],
    ['expires', 'tomorrow', 'tomorrow'],
    ['allowed_ips', 'nowhere', 'nowhere'],
    ['description', 'x'.repeat(201), 'x'.repeat(201)],
  ])('%s: %s is refused at its field, which keeps the value', async (field, value, shown) => {
    const before = await newest(alice)
    const { status, text } = await send(PAGE, { ...FORM, [field]: value })
    expect(status).toBe(400)
    const block = text.slice(text.indexOf(`data-field="${field}"`)).split('</div>')[0]
    expect(block).toContain('aria-invalid="true"')
    expect(block).toContain('class="error"')
    expect(block).toContain(shown)
    expect(await newest(alice)).toEqual(before)
  })

  it('a token is changed, disabled and deleted', async () => {
    const key = keyOf(await send(PAGE, { ...FORM, description: 'passing' }))
    const { id } = await newest(alice)
    expect((await browser.visit(`${PAGE}${id}/`)).text).toContain('value="passing"')
    const changed = await send(`${PAGE}${id}/`, { ...FORM, description: 'stays', enabled: '' })
    expect([changed.status, changed.location]).toEqual([303, PAGE])
    expect(await newest(alice)).toMatchObject({ id, description: 'stays', enabled: false })
    expect((await knock(`Token ${key}`)).status).toBe(403)
    const refused = await send(`${PAGE}${id}/`, { ...FORM, allowed_ips: 'nowhere' })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('class="error"')])
    const deleted = await send(`${PAGE}${id}/delete/`, {})
    expect([deleted.status, deleted.location]).toEqual([303, PAGE])
    expect((await browser.visit(`${PAGE}${id}/`)).status).toBe(404)
  })

  it('tokens of other users are not accessible here, even to superusers', async () => {
    const body = { user: alice, description: 'private to alice' }
    const { id } = (await api.ask('POST', '/api/users/tokens/', { body })).json
    const admin = new Browser(api.url)
    await admin.logIn('admin', 'admin')
    const csrfmiddlewaretoken = admin.cookies.get('csrftoken') ?? ''
    expect((await admin.visit(PAGE)).text).not.toContain('private to alice')
    expect((await admin.visit(`${PAGE}${id}/`)).status).toBe(404)
    const form = { ...FORM, csrfmiddlewaretoken }
    expect((await admin.visit(`${PAGE}${id}/`, { form })).status).toBe(404)
    expect((await admin.visit(`${PAGE}${id}/delete/`, { form })).status).toBe(404)
    const { status } = await api.ask('GET', `/api/users/tokens/${id}/`)
    expect(status).toBe(200)
  })

  it.each([PAGE, `${PAGE}1/`, `${PAGE}1/delete/`])('POST to %s needs the CSRF token', async (path) => {
    const { status, text } = await browser.visit(path, { form: FORM })
    expect([status, text]).toEqual([403, expect.stringContaining('CSRF token missing.')])
  })

  it('long lists of tokens are paginated', async () => {
    const bulk = Array.from({ length: 55 }, () => ({ user: alice, description: 'one of many' }))
    await api.ask('POST', '/api/users/tokens/', { body: bulk })
    expect((await browser.visit(PAGE)).text).toContain(`href="${PAGE}?offset=50"`)
    const { text } = await browser.visit(`${PAGE}?offset=50`)
    expect(text).toContain(`href="${PAGE}?offset=0"`)
  })
})

it('a user without permission to view tokens gets an error page', async () => {
  const api = await apiOfTest({ DEFAULT_PERMISSIONS: '{}' })
  await api.ask('POST', '/api/users/users/', { body: { username: 'bob', password: PASSWORD } })
  const browser = new Browser(api.url)
  await browser.logIn('bob', PASSWORD)
  const { status, headers, text } = await browser.visit(PAGE)
  expect([status, headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
  expect(text).toContain('Ask an administrator for the permission “view” on tokens.')
})
