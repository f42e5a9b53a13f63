import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSuperuser } from '../../src/identity/superuser.ts'
import { type Api, apiOfTest, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

describe('accounts', () => {
  let api: Api
  let count = 0
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  const make = async (body: Readonly<Record<string, unknown>>) => {
    count += 1
    return await api.ask('POST', '/api/users/users/', {
      body: { username: `user${count}`, ...body },
    })
  }
  const signIn = async (username: string, password: string) =>
    (
      await api.ask('POST', '/api/users/tokens/provision/', {
        token: null,
        body: { username, password },
      })
    ).status

  it.each([
    ['that satisfies the policy', PASSWORD, undefined],
    ['of letters of another script', 'Übergröße-Maß-7', undefined],
    ['too short', 'Sh0rt-enoug', /at least 12/],
    ['without a digit', 'Abcdefghijklmnop', /digit/],
    ['without an upper-case letter', 'abcdefghijklmnop1', /capital/],
    ['without a lower-case letter', 'ABCDEFGHIJKLMNOP1', /small/],
    ['of digits only', '293847561029384', /capital/],
    ['that is common', '1Q2w3e4r5t6y', /too common/],
    ['that is too long', `Aa1${'x'.repeat(126)}`, /128/],
    ['that is empty', '', /./],
    ['that is missing', undefined, /required/],
    ['that is not a text', { a: 1 }, /./],
  ])('a password %s', async (_name, password, complaint) => {
    const answer = await make({ password })
    if (complaint === undefined) expect(answer.status).toBe(201)
    else {
      expect([answer.status, Object.keys(answer.json)]).toEqual([400, ['password']])
      expect(answer.text).toMatch(complaint)
    }
    expect(answer.text).not.toContain('argon2')
    if (password) expect(answer.text).not.toContain(JSON.stringify(password))
  })

  it('a password is never part of a response', async () => {
    const { json } = await make({ password: PASSWORD, email: 'a@b.example' })
    const path = `/api/users/users/${json.id}/`
    await api.ask('PATCH', path, { body: { password: 'An0ther-Horse-Battery' } })
    const answers = await Promise.all(
      [path, '/api/users/users/', '/api/core/object-changes/?limit=100', `${path}?fields=id,password`].map((each) =>
        api.ask('GET', each),
      ),
    )
    for (const { text, status } of answers) {
      expect(status).toBe(200)
      expect(text).not.toMatch(/argon2|Horse-Battery|"password"/)
    }
    const filtered = await api.ask('GET', '/api/users/users/?password__isw=$argon2')
    const all = await api.ask('GET', '/api/users/users/')
    expect(filtered.json.count).toBe(all.json.count)
  })

  it('a changed password is valid at once, and the old one is not', async () => {
    const { json } = await make({ password: PASSWORD })
    const username = String(json.username)
    expect(await signIn(username, PASSWORD)).toBe(201)
    const body = { password: 'An0ther-Horse-Battery' }
    await api.ask('PATCH', `/api/users/users/${json.id}/`, { body })
    expect(await signIn(username, PASSWORD)).toBe(403)
    expect(await signIn(username, body.password)).toBe(201)
  })

  it('an inactive user cannot get a token', async () => {
    const { json } = await make({ password: PASSWORD, is_active: false })
    expect(await signIn(String(json.username), PASSWORD)).toBe(403)
    await api.ask('PATCH', `/api/users/users/${json.id}/`, { body: { is_active: true } })
    expect(await signIn(String(json.username), PASSWORD)).toBe(201)
  })

  it('a refusal does not reveal whether the name or the password is wrong', async () => {
    const { json } = await make({ password: PASSWORD, is_active: false })
    const refusal = async (username: string, password: string) => {
      const answer = await api.ask('POST', '/api/users/tokens/provision/', {
        token: null,
        body: { username, password },
      })
      return { status: answer.status, text: answer.text }
    }
    const expected = { status: 403, text: '{"detail":"Invalid username/password"}' }
    expect(await refusal('nobody-at-all', PASSWORD)).toEqual(expected)
    expect(await refusal('admin', 'wrong')).toEqual(expected)
    expect(await refusal(String(json.username), PASSWORD)).toEqual(expected)
  })

  it('user names are case-insensitive', async () => {
    const { json } = await make({ password: PASSWORD })
    const again = await make({
      username: String(json.username).toUpperCase(),
      password: PASSWORD,
    })
    expect([again.status, Object.keys(again.json)]).toEqual([400, ['username']])
  })

  it('an existing user becomes a superuser, with a new password only on request', async () => {
    const { json } = await make({ password: PASSWORD, is_active: false })
    const username = String(json.username)
    const promote = (existing: 'keepsPassword' | 'getsPassword', superuserPassword: string) =>
      api.service.database.transaction((transaction) =>
        makeSuperuser(transaction, { superuserName: username, superuserPassword }, existing),
      )
    await promote('keepsPassword', 'ignored')
    expect(await signIn(username, PASSWORD)).toBe(201)
    await promote('getsPassword', 'replaced')
    expect(await signIn(username, PASSWORD)).toBe(403)
    expect(await signIn(username, 'replaced')).toBe(201)
    expect((await api.ask('GET', '/api/users/users/?is_superuser=true')).text).toContain(username)
  })

  it.each([
    ['without a constraint', null, 200],
    ['with a constraint that excludes superusers', { is_superuser: false }, 404],
  ])(
    'a permission to change users, %s, decides about the password of a superuser',
    async (_what, constraints, status) => {
      const { json: target } = await make({ password: PASSWORD })
      await api.service.database.transaction((transaction) =>
        makeSuperuser(transaction, { superuserName: String(target.username), superuserPassword: '' }, 'keepsPassword'),
      )
      const { json: helper } = await make({ password: PASSWORD })
      await api.make('users/permissions', {
        ...{ name: `help desk ${helper.id}`, object_types: ['users.user'], actions: ['view', 'change'] },
        ...{ users: [helper.id], constraints },
      })
      const token = String((await api.ask('POST', '/api/users/tokens/', { body: { user: helper.id } })).json.key)
      const body = { password: 'An0ther-Horse-Battery' }
      expect((await api.ask('PATCH', `/api/users/users/${target.id}/`, { token, body })).status).toBe(status)
      expect((await api.ask('PATCH', `/api/users/users/${helper.id}/`, { token, body })).status).toBe(200)
    },
  )

  it('groups and owners have members', async () => {
    const { json: person } = await make({ password: PASSWORD })
    const { json: group } = await api.ask('POST', '/api/users/groups/', { body: { name: 'net' } })
    await api.ask('PATCH', `/api/users/users/${person.id}/`, { body: { groups: [group.id] } })
    const owner = await api.ask('POST', '/api/users/owners/', {
      body: { name: 'team', group: null, users: [person.id], user_groups: [group.id] },
    })
    expect(owner.status).toBe(201)
    expect((await api.ask('GET', `/api/users/groups/${group.id}/`)).json.user_count).toBe(1)
    const owned = { name: 'owned', slug: 'owned', owner: owner.json.id }
    expect((await api.ask('POST', '/api/dcim/sites/', { body: owned })).status).toBe(201)
    expect((await api.ask('GET', '/api/dcim/sites/?owner=team')).json.count).toBe(1)
  })
})

interface Knock {
  readonly path: string
  readonly nobody: number
  /** A user without any permission. */
  readonly somebody: number
}

const admissions: readonly {
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  readonly knocks: readonly Knock[]
}[] = [
  {
    name: 'with a login required',
    environment: {},
    knocks: [
      { path: '/api/', nobody: 403, somebody: 200 },
      { path: '/api/status/', nobody: 403, somebody: 200 },
      { path: '/api/schema/', nobody: 200, somebody: 200 },
      { path: '/api/dcim/sites/', nobody: 403, somebody: 403 },
      { path: '/api/users/users/', nobody: 403, somebody: 403 },
      { path: '/api/users/tokens/', nobody: 403, somebody: 200 },
      { path: '/api/extras/bookmarks/', nobody: 403, somebody: 200 },
    ],
  },
  {
    name: 'with a login required, all models exempt',
    environment: { EXEMPT_VIEW_PERMISSIONS: '*' },
    knocks: [
      { path: '/api/dcim/sites/', nobody: 403, somebody: 200 },
      { path: '/api/users/users/', nobody: 403, somebody: 403 },
      { path: '/api/users/groups/', nobody: 403, somebody: 403 },
      { path: '/api/users/permissions/', nobody: 403, somebody: 403 },
    ],
  },
  {
    name: 'without a login, all models exempt',
    environment: { LOGIN_REQUIRED: 'false', EXEMPT_VIEW_PERMISSIONS: '*' },
    knocks: [
      { path: '/api/', nobody: 200, somebody: 200 },
      { path: '/api/dcim/sites/', nobody: 200, somebody: 200 },
      { path: '/api/users/users/', nobody: 403, somebody: 403 },
      { path: '/api/users/tokens/', nobody: 403, somebody: 200 },
      { path: '/api/users/permissions/', nobody: 403, somebody: 403 },
      { path: '/api/users/groups/', nobody: 403, somebody: 403 },
    ],
  },
  {
    name: 'without a login, one model exempt',
    environment: { LOGIN_REQUIRED: 'false', EXEMPT_VIEW_PERMISSIONS: 'dcim.site' },
    knocks: [
      { path: '/api/dcim/sites/', nobody: 200, somebody: 200 },
      { path: '/api/dcim/devices/', nobody: 403, somebody: 403 },
    ],
  },
  {
    name: 'without default permissions',
    environment: { DEFAULT_PERMISSIONS: '{}' },
    knocks: [
      { path: '/api/users/tokens/', nobody: 403, somebody: 403 },
      { path: '/api/extras/bookmarks/', nobody: 403, somebody: 403 },
    ],
  },
]

describe('admission', () => {
  let count = 0

  it.each(admissions)('$name', async ({ environment, knocks }) => {
    const api = await apiOfTest(environment)
    const body = { username: 'somebody', password: PASSWORD }
    const { json } = await api.ask('POST', '/api/users/users/', { body })
    const made = await api.ask('POST', '/api/users/tokens/', { body: { user: json.id } })
    for (const { path, nobody, somebody } of knocks) {
      const found = {
        path,
        nobody: (await api.ask('GET', path, { token: null })).status,
        somebody: (await api.ask('GET', path, { token: String(made.json.key) })).status,
      }
      expect(found).toEqual({ path, nobody, somebody })
      const write = await api.ask('POST', path, { token: null, body: {} })
      expect([path, write.status]).toEqual([path, path === '/api/schema/' ? 405 : 403])
    }
  })

  it('the password policy follows the configuration', async () => {
    const api = await apiOfTest({
      AUTH_PASSWORD_VALIDATORS: JSON.stringify([
        { NAME: 'MinimumLengthValidator', OPTIONS: { min_length: 6 } },
        { NAME: 'UserAttributeSimilarityValidator' },
        { NAME: 'NumericPasswordValidator' },
      ]),
    })
    const status = async (password: string) => {
      count += 1
      const body = { username: `babbage${count}`, password, last_name: 'Lovelace' }
      return (await api.ask('POST', '/api/users/users/', { body })).status
    }
    expect(await status('short')).toBe(400)
    expect(await status('12345678')).toBe(400)
    expect(await status('i am lovelace!')).toBe(400)
    expect(await status('my name is babbage4')).toBe(400)
    expect(await status('quite enough')).toBe(201)
    // Common, but this is not checked by default.
    expect(await status('password')).toBe(201)
  })

  it.each([
    { name: 'nobody is trusted', trusted: 'false', forwarded: '192.0.2.10', status: 403 },
    { name: 'the proxy is trusted', trusted: '127.0.0.0/8', forwarded: '192.0.2.10', status: 200 },
    {
      name: 'a client writes an address in front of its own',
      trusted: '127.0.0.0/8',
      forwarded: '192.0.2.10, 198.51.100.7',
      status: 403,
    },
    {
      name: 'there are two trusted proxies',
      trusted: '127.0.0.0/8,10.0.0.0/8',
      forwarded: '192.0.2.10, 10.1.2.3',
      status: 200,
    },
  ])('a token restricted to an address, if $name', async ({ trusted, forwarded, status }) => {
    const api = await apiOfTest({ TRUST_PROXY: trusted })
    const body = { user: 1, allowed_ips: ['192.0.2.10/32'] }
    const { json } = await api.ask('POST', '/api/users/tokens/', { body })
    const answer = await api.ask('GET', '/api/authentication-check/', {
      token: String(json.key),
      headers: { 'x-forwarded-for': forwarded, 'x-real-ip': '192.0.2.10' },
    })
    expect(answer.status).toBe(status)
  })
})
