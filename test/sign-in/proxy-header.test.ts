import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, hiddenFields } from '../sessions/browser.ts'
import { type Api, apiOfTest, type Document, startApi } from '../support/api.ts'
import { LogLines } from '../support/log-lines.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

/** NetBox's settings, with a proxy on this machine. */
const REMOTE_AUTH = {
  TRUST_PROXY: '127.0.0.1',
  REMOTE_AUTH_ENABLED: 'true',
  REMOTE_AUTH_HEADER: 'HTTP_X_PROXY_USER',
  REMOTE_AUTH_AUTO_CREATE_USER: 'true',
  REMOTE_AUTH_GROUP_SYNC_ENABLED: 'true',
  REMOTE_AUTH_SUPERUSER_GROUPS: '["net-admins"]',
  REMOTE_AUTH_DEFAULT_GROUPS: 'newcomers',
  LOG_LEVEL: 'info',
}
const JSON_ONLY = { accept: 'application/json' }
const WHO = '/api/authentication-check/'

const groupsOf = (user: Document): readonly string[] => [...(user.groups ?? [])].map(({ name }) => String(name)).sort()

/** Signs in as the proxy does: with headers, at the login page. */
async function arrive(api: Api, headers: Readonly<Record<string, string>>, browser = new Browser(api.url)) {
  const answer = await browser.visit('/login/?next=/api/dcim/sites/', { headers })
  return { answer, browser }
}

const whoIs = async (browser: Browser, headers: Readonly<Record<string, string>> = {}): Promise<Document> =>
  JSON.parse((await browser.visit(WHO, { headers: { ...JSON_ONLY, ...headers } })).text)

describe('the header of a proxy', () => {
  let api: Api
  const log = new LogLines()
  beforeAll(async () => {
    api = await startApi(REMOTE_AUTH, log)
    for (const name of ['operators', 'newcomers']) await api.make('users/groups', { name })
  })
  afterAll(() => api.close())

  it('a person whom the proxy names is signed in, in the groups that it names', async () => {
    const { browser, answer } = await arrive(api, {
      'x-proxy-user': 'alice',
      'remote-user-first-name': 'Alice',
      'remote-user-last-name': 'Adams',
      'remote-user-email': 'alice@example.com',
      'remote-user-group': 'operators|accounting',
    })
    expect([answer.status, answer.location]).toEqual([303, '/api/dcim/sites/'])
    const user = await whoIs(browser)
    expect(user).toMatchObject({ first_name: 'Alice', last_name: 'Adams', email: 'alice@example.com' })
    expect(groupsOf(user)).toEqual(['operators'])
    expect(log.audited.at(-1)).toMatchObject({ event: 'login', user: 'alice', way: 'header', provider: 'remote-auth' })
  })

  it('the same name in other letter case is the same user', async () => {
    const first = await whoIs((await arrive(api, { 'x-proxy-user': 'bob' })).browser)
    const second = await whoIs((await arrive(api, { 'x-proxy-user': 'BOB' })).browser)
    expect(second.id).toBe(first.id)
  })

  it('superusers are the members of a superuser group, at each login', async () => {
    const isSuperuser = async (): Promise<boolean> =>
      Number((await api.ask('GET', '/api/users/users/?is_superuser=true&username=carol')).json.count) > 0
    await arrive(api, { 'x-proxy-user': 'carol', 'remote-user-group': 'net-admins' })
    expect(await isSuperuser()).toBe(true)
    await arrive(api, { 'x-proxy-user': 'carol' })
    expect(await isSuperuser()).toBe(false)
  })

  it('a session ends in the browser when the proxy names another user', async () => {
    const { browser } = await arrive(api, { 'x-proxy-user': 'dave' })
    expect((await whoIs(browser, { 'x-proxy-user': 'dave' })).username).toBe('dave')
    const { status } = await browser.visit(WHO, { headers: { ...JSON_ONLY, 'x-proxy-user': 'mallory' } })
    expect(status).toBe(403)
    await arrive(api, { 'x-proxy-user': 'erin' }, browser)
    expect((await whoIs(browser, { 'x-proxy-user': 'erin' })).username).toBe('erin')
  })

  const refused: readonly (readonly [string, string, string])[] = [
    [
      'two names, one of which the client sent',
      'alice, mallory',
      'The user name from the login provider cannot be used',
    ],
    ['a name that cannot be one', 'no such name!', 'The user name from the login provider cannot be used'],
    ['the name of a superuser', 'admin', 'Your user name belongs to another account here.'],
    ['the name of a superuser in other letters', 'ADMIN', 'Your user name belongs to another account here.'],
  ]
  it.each(refused)('%s does not sign in', async (_name, user, refusal) => {
    const { answer, browser } = await arrive(api, { 'x-proxy-user': user })
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining(refusal)])
    expect(browser.cookies.has('sessionid')).toBe(false)
    expect(log.audited.at(-1)).toMatchObject({ event: 'loginFailed', provider: 'remote-auth' })
  })
})

describe('headers that are not trusted', () => {
  // Settings, and headers of a client on 127.0.0.1.
  const spoofed: readonly (readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>])[] = [
    ['from an address that is not a proxy', { TRUST_PROXY: '192.0.2.1' }, { 'x-proxy-user': 'admin' }],
    ['from a neighbour of the proxy', { TRUST_PROXY: '127.0.0.2/31' }, { 'x-proxy-user': 'admin' }],
    [
      'from an address that claims to be the proxy',
      { TRUST_PROXY: '192.0.2.1' },
      { 'x-proxy-user': 'admin', 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1', 'x-real-ip': '192.0.2.1' },
    ],
    ['with another name', {}, { 'remote-user': 'alice' }],
    ['with an underscore', {}, { x_proxy_user: 'alice' }],
    ['if the settings are off', { REMOTE_AUTH_ENABLED: 'false' }, { 'x-proxy-user': 'alice' }],
    ['that are empty', {}, { 'x-proxy-user': ' ' }],
  ]
  it.each(spoofed)('a header %s signs nobody in', async (_name, settings, headers) => {
    const api = await apiOfTest({ ...REMOTE_AUTH, ...settings, LOG_LEVEL: 'error' })
    const { answer, browser } = await arrive(api, headers)
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('name="password"')])
    expect(browser.cookies.has('sessionid')).toBe(false)
    expect((await browser.visit(WHO, { headers: { ...JSON_ONLY, ...headers } })).status).toBe(403)
  })

  it('a header alone, without a session, changes nothing: another site could have sent the request', async () => {
    const api = await apiOfTest({ ...REMOTE_AUTH, LOG_LEVEL: 'error' })
    await arrive(api, { 'x-proxy-user': 'alice', 'remote-user-group': 'net-admins' })
    const headers = { ...JSON_ONLY, 'x-proxy-user': 'alice' }
    const body = { name: 'Ams', slug: 'ams' }
    const { status } = await new Browser(api.url).visit('/api/dcim/sites/', { method: 'POST', body, headers })
    expect(status).toBe(403)
  })

  it.each([
    ['every sender', 'true'],
    ['nobody', 'false'],
  ])('the service does not start if %s is trusted', async (_name, trust) => {
    await expect(apiOfTest({ ...REMOTE_AUTH, TRUST_PROXY: trust })).rejects.toThrow(
      'TRUST_PROXY must list the addresses of the proxies',
    )
  })
})

describe('the login page', () => {
  const PROVIDERS = JSON.stringify([
    { type: 'oidc', name: 'entra', label: 'Entra ID', issuer: 'https://login.example.com/v2.0', client_id: 'a' },
    { type: 'oidc', name: 'keycloak', issuer: 'https://id.example.com/realms/net', client_id: 'b' },
  ])

  it('offers every provider, and hides its form if the settings say so', async () => {
    const api = await apiOfTest({ AUTH_PROVIDERS: PROVIDERS, LOGIN_FORM_HIDDEN: 'true' })
    const browser = new Browser(api.url)
    const { text } = await browser.visit('/login/')
    expect(text).toContain('Log in with Entra ID')
    expect(text).toContain('href="/oauth/login/keycloak/?next=%2F"')
    expect(text).toContain('Log in with id.example.com')
    expect(text).not.toContain('name="password"')
    // For superusers when no provider can be reached.
    const form = hiddenFields((await browser.visit('/login/?form')).text)
    const answer = await browser.visit('/login/', { form: { ...form, username: 'admin', password: 'admin' } })
    expect(answer.status).toBe(303)
  })

  it.each([
    ['no other way to sign in', { LOGIN_FORM_HIDDEN: 'true' }, 'LOGIN_FORM_HIDDEN needs a provider'],
    [
      'two providers of one name',
      { AUTH_PROVIDERS: PROVIDERS.replace('entra', 'keycloak') },
      'Two login providers have the name keycloak',
    ],
    ['a list that is not JSON', { AUTH_PROVIDERS: '[{' }, 'AUTH_PROVIDERS must be a JSON list'],
    ['a file that is not there', { AUTH_PROVIDERS: '/nowhere' }, 'a file that can be read'],
  ])('the service does not start with %s', async (_name, settings, sentence) => {
    await expect(apiOfTest(settings)).rejects.toThrow(sentence)
  })
})

it('a local user can sign in without the proxy', async () => {
  const api = await apiOfTest({ ...REMOTE_AUTH, LOG_LEVEL: 'error' })
  await api.make('users/users', { username: 'local', password: PASSWORD })
  const browser = new Browser(api.url)
  expect((await browser.logIn('local', PASSWORD)).status).toBe(303)
  expect((await whoIs(browser)).username).toBe('local')
})
