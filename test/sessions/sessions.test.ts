import { parseSetCookie } from 'cookie'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table, updateTable } from '../../src/sql/table.ts'
import { ADMIN_TOKEN, type Api, apiOfTest, startApi, startApiOver } from '../support/api.ts'
import { createTestDatabase, dropTestDatabase } from '../support/database.ts'
import { Browser } from './browser.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const WHO = '/api/authentication-check/'

/** Creates a user and returns the id. */
async function makeUser(api: Api, username: string): Promise<number> {
  const body = { username, password: PASSWORD }
  return Number((await api.ask('POST', '/api/users/users/', { body })).json.id)
}

/** A browser in which the user has signed in. */
async function signedIn(api: Api, username: string): Promise<Browser> {
  const browser = new Browser(api.url)
  expect((await browser.logIn(username, PASSWORD)).status).toBe(303)
  return browser
}

/** Status of a request that needs a signed-in user. */
const statusOf = async (browser: Browser): Promise<number> =>
  (await browser.visit(WHO, { headers: { accept: 'application/json' } })).status

let shared: Api
let configured: Api
beforeAll(async () => {
  shared = await startApi({ TRUST_PROXY: 'true' })
  configured = await startApi({
    BASE_PATH: 'inventory',
    LOGIN_PERSISTENCE: 'true',
    LOGIN_TIMEOUT: '3600',
    SESSION_COOKIE_NAME: 'mine',
    SESSION_COOKIE_SECURE: 'true',
    loginFailureLimit: 2,
  })
})
afterAll(async () => {
  await shared.close()
  await configured.close()
})

describe('sessions', () => {
  let api: Api
  let alice: number
  beforeAll(async () => {
    api = await startApi()
    alice = await makeUser(api, 'alice')
  })
  afterAll(() => api.close())

  it('the login form starts a session, and records the login', async () => {
    const browser = await signedIn(api, 'alice')
    const { status, text } = await browser.visit(WHO, { headers: { accept: 'application/json' } })
    expect([status, JSON.parse(text).username]).toEqual([200, 'alice'])
    const { json } = await api.ask('GET', `/api/users/users/${alice}/`)
    expect(Date.now() - Date.parse(String(json.last_login))).toBeLessThan(60_000)
  })

  it('the database does not contain the keys of sessions', async () => {
    const browser = await signedIn(api, 'alice')
    const rows = await api.service.database.query(sql`select s::text as row from ${table('users.session')} s`)
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('sessionid'))
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('csrftoken'))
  })

  // state of the session of a signed-in user → status of a request with its cookie
  const states: readonly {
    name: string
    change: (browser: Browser, user: number) => Promise<unknown>
    status: 200 | 403
  }[] = [
    { name: 'untouched', change: async () => undefined, status: 200 },
    { name: 'without its cookie', change: async ({ cookies }) => cookies.clear(), status: 403 },
    {
      name: 'with a forged cookie',
      change: async ({ cookies }) => cookies.set('sessionid', 'A'.repeat(43)),
      status: 403,
    },
    {
      name: 'with a cookie that is not a key',
      change: async ({ cookies }) => cookies.set('sessionid', "' or true --"),
      status: 403,
    },
    {
      name: 'expired',
      change: async (_browser, user) => {
        await api.service.database.execute(
          sql`${updateTable('users.session')} set expires = now() where user_id = ${user}::bigint`,
        )
        api.service.cache.clear()
      },
      status: 403,
    },
    {
      name: 'of a user who has been deactivated',
      change: (_browser, user) => patch(user, { is_active: false }),
      status: 403,
    },
    {
      name: 'of a user who has been deactivated and activated again',
      change: async (_browser, user) => {
        await patch(user, { is_active: false })
        await patch(user, { is_active: true })
      },
      status: 403,
    },
    {
      name: 'of a user who has got another password',
      change: (_browser, user) => patch(user, { password: `${PASSWORD}-2` }),
      status: 403,
    },
    {
      name: 'of a user whose password has been set in the database',
      change: async (_browser, user) => {
        await api.service.database.execute(
          sql`${updateTable('users.user')} set password = 'other' where id = ${user}::bigint`,
        )
        api.service.cache.clear()
      },
      status: 403,
    },
    {
      name: 'of a user whose name has been changed',
      change: (_browser, user) => patch(user, { first_name: 'Other' }),
      status: 200,
    },
    {
      name: 'of a user who has been deleted',
      change: (_browser, user) => api.ask('DELETE', `/api/users/users/${user}/`),
      status: 403,
    },
    {
      name: 'that has been logged out of',
      change: async (browser) => {
        const key = browser.cookies.get('sessionid') ?? ''
        const token = browser.cookies.get('csrftoken') ?? ''
        await browser.visit('/logout/', { form: { csrfmiddlewaretoken: token } })
        expect(browser.cookies.size).toBe(0)
        // A thief has stored the cookie.
        browser.cookies.set('sessionid', key)
      },
      status: 403,
    },
  ]
  const patch = (user: number, body: unknown) => api.ask('PATCH', `/api/users/users/${user}/`, { body })

  it.each(states)('a session $name: $status', async ({ name, change, status }) => {
    const username = `user-${states.findIndex((state) => state.name === name)}`
    const user = await makeUser(api, username)
    const browser = await signedIn(api, username)
    expect(await statusOf(browser)).toBe(200)
    await change(browser, user)
    expect(await statusOf(browser)).toBe(status)
  })

  it('a session key planted in the browser gives no access after the login', async () => {
    const planted = 'B'.repeat(43)
    const victim = new Browser(api.url)
    victim.cookies.set('sessionid', planted)
    await victim.logIn('alice', PASSWORD)
    expect(victim.cookies.get('sessionid')).not.toBe(planted)
    const thief = new Browser(api.url)
    thief.cookies.set('sessionid', planted)
    expect(await statusOf(thief)).toBe(403)
  })

  it('a new login in the same browser ends the former session', async () => {
    const browser = await signedIn(api, 'alice')
    const former = new Browser(api.url)
    former.cookies.set('sessionid', browser.cookies.get('sessionid') ?? '')
    expect(await statusOf(former)).toBe(200)
    await browser.logIn('alice', PASSWORD)
    expect([await statusOf(browser), await statusOf(former)]).toEqual([200, 403])
  })

  it('a login deletes expired sessions', async () => {
    await signedIn(api, 'alice')
    await api.service.database.execute(sql`${updateTable('users.session')} set expires = now()`)
    await signedIn(api, 'alice')
    const rows = await api.service.database.query(sql`select id from ${table('users.session')}`)
    expect(rows).toHaveLength(1)
  })

  it('a token takes precedence over the cookie', async () => {
    const browser = await signedIn(api, 'alice')
    const headers = { accept: 'application/json', authorization: `Token ${ADMIN_TOKEN}` }
    expect(JSON.parse((await browser.visit(WHO, { headers })).text).username).toBe('admin')
    const wrong = { ...headers, authorization: `Token ${'0'.repeat(40)}` }
    expect((await browser.visit(WHO, { headers: wrong })).status).toBe(403)
  })

  it('a session adds no queries to a request', async () => {
    const browser = await signedIn(api, 'alice')
    await statusOf(browser)
    const { misses } = api.service.cache.statistics()
    await statusOf(browser)
    expect(api.service.cache.statistics().misses).toBe(misses)
  })

  // password → message in the form
  it.each([
    ['a wrong password', 'alice', 'wrong'],
    ['an unknown user', 'nobody', PASSWORD],
    ['nothing', '', ''],
  ])('%s is refused with the same message', async (_name, username, password) => {
    const browser = new Browser(api.url)
    const { status, text } = await browser.logIn(username, password)
    expect(status).toBe(403)
    expect(text).toContain('Invalid username/password')
    expect(text).not.toContain(PASSWORD)
    expect(browser.cookies.has('sessionid')).toBe(false)
  })
})

it('too many wrong passwords delay logins of the account, even with the right one', async () => {
  await makeUser(configured, 'bob')
  const browser = new Browser(configured.url)
  for (let attempt = 0; attempt < 3; attempt++) await browser.logIn('bob', 'wrong')
  const { status, headers, text } = await browser.logIn('bob', PASSWORD)
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(text).toContain('Too many attempts')
})

it('in maintenance mode users can sign in and out, and only the session is written', async () => {
  const api = await apiOfTest({ MAINTENANCE_MODE: 'true' })
  const browser = new Browser(api.url)
  expect((await browser.logIn('admin', 'admin')).status).toBe(303)
  const { text } = await browser.visit(WHO, { headers: { accept: 'application/json' } })
  expect(JSON.parse(text)).toMatchObject({ username: 'admin', last_login: null })
  const csrfmiddlewaretoken = browser.cookies.get('csrftoken') ?? ''
  expect((await browser.visit('/logout/', { form: { csrfmiddlewaretoken } })).status).toBe(303)
})

// settings and scheme → attributes of the session's cookie and of the CSRF token's
const attributes: readonly {
  name: string
  api: () => Api
  scheme: string
  cookie?: string
  expected: Readonly<Record<string, unknown>>
}[] = [
  {
    name: 'over http',
    api: () => shared,
    scheme: 'http',
    expected: { path: '/', maxAge: 1_209_600, sameSite: 'lax' },
  },
  {
    name: 'over https',
    api: () => shared,
    scheme: 'https',
    expected: { path: '/', maxAge: 1_209_600, sameSite: 'lax', secure: true },
  },
  {
    name: 'as the configuration wants them',
    api: () => configured,
    scheme: 'http',
    cookie: 'mine',
    expected: { path: '/inventory', maxAge: 3600, sameSite: 'lax', secure: true },
  },
]
it.each(attributes)('attributes of cookies $name', async ({ api, scheme, cookie, expected }) => {
  const { url } = api()
  const browser = new Browser(url)
  const origin = new URL(url).origin.replace('http', scheme)
  const headers = { 'x-forwarded-proto': scheme, origin }
  await browser.visit('/login/', { headers })
  const csrfmiddlewaretoken = browser.cookies.get('csrftoken') ?? ''
  const form = { csrfmiddlewaretoken, username: 'admin', password: 'admin' }
  const { status, location } = await browser.visit('/login/', { form, headers })
  expect([status, location]).toEqual([303, expected.path === '/' ? '/' : `${expected.path}/`])
  const [session, token] = browser.received.map((text): object => parseSetCookie(text))
  expect(session).toEqual({
    ...expected,
    name: cookie ?? 'sessionid',
    value: expect.any(String),
    httpOnly: true,
  })
  expect(token).toEqual({ ...expected, name: 'csrftoken', value: expect.any(String) })
})

it('a session is extended when it is used, if that is configured', async () => {
  const { database, cache } = configured.service
  const browser = new Browser(configured.url)
  await browser.logIn('admin', 'admin')
  await statusOf(browser)
  expect(browser.received, 'nothing is written before a tenth of the time has passed').toEqual([])
  await database.execute(sql`${updateTable('users.session')} set expires = now() + interval '300 seconds'`)
  cache.clear()
  expect(await statusOf(browser)).toBe(200)
  const [row] = await database.query<{ seconds: number }>(
    sql`select max(extract(epoch from expires - now()))::int as seconds from ${table('users.session')}`,
  )
  expect(row?.seconds).toBeGreaterThan(3500)
  expect(browser.received.map((text) => parseSetCookie(text).maxAge)).toEqual([3600, 3600])
})

// requested target of the login → where it redirects; own-path.test.ts has all attempts to trick it
it.each([
  ['/api/dcim/sites/?q=a&limit=5', '/api/dcim/sites/?q=a&limit=5'],
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
])('next %s redirects to %s', async (next, location) => {
  const browser = new Browser(shared.url)
  expect((await browser.logIn('admin', 'admin', next)).location).toBe(location)
})

it('next is validated again when the form is submitted', async () => {
  const browser = new Browser(shared.url)
  await browser.visit('/login/')
  const csrfmiddlewaretoken = browser.cookies.get('csrftoken') ?? ''
  const form = {
    csrfmiddlewaretoken,
    username: 'admin',
    password: 'admin',
    next: '//evil.example/',
  }
  expect((await browser.visit('/login/', { form })).location).toBe('/')
})

it('a session that one node ends is invalid on the others', async () => {
  const url = await createTestDatabase('migrated')
  const open = () => openPostgres({ url, poolSize: 4, statementTimeout: 0 })
  const one = await startApiOver(open())
  const other = await startApiOver(open())
  try {
    const browser = new Browser(one.url)
    await browser.logIn('admin', 'admin')
    const elsewhere = new Browser(other.url)
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
    expect(await statusOf(elsewhere)).toBe(200)
    const csrfmiddlewaretoken = browser.cookies.get('csrftoken') ?? ''
    await browser.visit('/logout/', { form: { csrfmiddlewaretoken } })
    await expect.poll(() => statusOf(elsewhere)).toBe(403)
  } finally {
    await one.close()
    await other.close()
    await dropTestDatabase(url)
  }
})
