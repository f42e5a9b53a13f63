import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { type Api, startApi } from '../support/api.ts'
import { TestClock } from '../support/test-clock.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const FROM = '192.0.2.10'

/** Requests that a token in some state allows. */
interface Rights {
  readonly read: 200 | 403
  readonly write: 201 | 403
}

const ALL: Rights = { read: 200, write: 201 }
const READ_ONLY: Rights = { read: 200, write: 403 }
const NOTHING: Rights = { read: 403, write: 403 }

interface State {
  readonly name: string
  /** Changes to the token after its creation. */
  readonly token?: Readonly<Record<string, unknown>>
  readonly user?: Readonly<Record<string, unknown>>
  readonly deletes?: 'token' | 'user'
  readonly rights: Rights
  /** Part of the error message. */
  readonly says?: RegExp
}

const PAST = '2020-01-01T00:00:00Z'
const FUTURE = '2099-01-01T00:00:00Z'

const STATES: readonly State[] = [
  { name: 'plain', rights: ALL },
  { name: 'expiring later', token: { expires: FUTURE }, rights: ALL },
  { name: 'expired', token: { expires: PAST }, rights: NOTHING, says: /expired/ },
  { name: 'disabled', token: { enabled: false }, rights: NOTHING, says: /disabled/ },
  { name: 'write-disabled', token: { write_enabled: false }, rights: READ_ONLY },
  { name: 'bound to its address', token: { allowed_ips: [`${FROM}/32`] }, rights: ALL },
  {
    name: 'bound to a network of another family too',
    token: { allowed_ips: ['2001:db8::/32', '192.0.2.0/24'] },
    rights: ALL,
  },
  {
    name: 'bound to another address',
    token: { allowed_ips: ['198.51.100.1/32'] },
    rights: NOTHING,
    says: /not accepted from 192\.0\.2\.10/,
  },
  { name: 'bound to IPv6', token: { allowed_ips: ['::/0'] }, rights: NOTHING, says: /accepted/ },
  { name: 'of an inactive user', user: { is_active: false }, rights: NOTHING, says: /inactive/ },
  { name: 'deleted', deletes: 'token', rights: NOTHING, says: /Invalid v[12] token/ },
  { name: 'of a deleted user', deletes: 'user', rights: NOTHING, says: /Invalid v[12] token/ },
  {
    name: 'disabled and expired and of another address',
    token: { enabled: false, expires: PAST, allowed_ips: ['198.51.100.1/32'] },
    rights: NOTHING,
    // The order of the checks is the reference's.
    says: /accepted from/,
  },
]

interface Made {
  readonly id: number
  readonly user: number
  readonly key: string
  readonly token: string
}

/** Authorization schemes of a token, by its version; they are case-insensitive. */
const SCHEMES: Readonly<Record<1 | 2, readonly ((made: Made) => string)[]>> = {
  1: [({ token }) => `Token ${token}`, ({ token }) => `bearer ${token}`],
  2: [({ key, token }) => `Bearer nbt_${key}.${token}`, ({ key, token }) => `TOKEN nbt_${key}.${token}`],
}

const cases = STATES.flatMap((state) =>
  ([1, 2] as const).map((version) => ({ title: `v${version}, ${state.name}`, state, version })),
)

describe('a token', () => {
  let api: Api
  let count = 0
  const clock = new TestClock()
  beforeAll(async () => {
    api = await startApi({ TRUST_PROXY: '127.0.0.0/8' }, undefined, clock)
  })
  afterAll(() => api.close())

  const make = async (version: 1 | 2): Promise<Made> => {
    count += 1
    const created = await api.ask('POST', '/api/users/users/', {
      body: { username: `user${count}`, password: PASSWORD },
    })
    const user = Number(created.json.id)
    const grant = { name: `grant ${count}`, object_types: ['extras.tag'], users: [user] }
    const actions = ['view', 'add']
    await api.ask('POST', '/api/users/permissions/', { body: { ...grant, actions } })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version } })
    return { id: Number(json.id), user, key: String(json.key), token: String(json.token) }
  }
  const bring = async ({ token, user, deletes }: State, made: Made): Promise<void> => {
    const tokenPath = `/api/users/tokens/${made.id}/`
    const userPath = `/api/users/users/${made.user}/`
    if (token) await api.ask('PATCH', tokenPath, { body: token })
    if (user) await api.ask('PATCH', userPath, { body: user })
    if (deletes) await api.ask('DELETE', deletes === 'user' ? userPath : tokenPath)
  }
  const send = (method: string, authorization: string) => {
    count += 1
    return api.ask(method, '/api/extras/tags/', {
      token: null,
      headers: { authorization, 'x-forwarded-for': FROM },
      ...(method === 'POST' && { body: { name: `tag ${count}`, slug: `tag-${count}` } }),
    })
  }

  it.each(cases)('$title', async ({ state, version }) => {
    const made = await make(version)
    // Sent once before the change, so that the change has to invalidate the cache.
    expect((await send('GET', SCHEMES[version][0]?.(made) ?? '')).status).toBe(200)
    await bring(state, made)
    for (const present of SCHEMES[version]) {
      const read = await send('GET', present(made))
      const write = await send('POST', present(made))
      expect({ read: read.status, write: write.status }).toEqual(state.rights)
      if (state.says) expect(read.json.detail).toMatch(state.says)
    }
  })

  it.each([1, 2] as const)('v%i with a wrong secret is refused', async (version) => {
    const { key, token } = await make(version)
    const other = token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    const presented = version === 1 ? other : `nbt_${key}.${other}`
    expect((await send('GET', `Token ${presented}`)).json.detail).toBe(`Invalid v${version} token`)
  })

  it('v2 with the secret of another token is refused', async () => {
    const [one, other] = [await make(2), await make(2)]
    expect((await send('GET', `Bearer nbt_${one.key}.${other.token}`)).status).toBe(403)
  })

  it('v2 without its pepper is refused', async () => {
    const { id, key, token } = await make(2)
    await api.service.database.execute(sql`${updateTable('users.token')} set pepper_id = 77 where id = ${id}::bigint`)
    expect((await send('GET', `Bearer nbt_${key}.${token}`)).status).toBe(403)
  })

  it('a token is refused from its expiry time on', async () => {
    const made = await make(1)
    const soon = new Date(clock.now() + 60_000).toISOString()
    await api.ask('PATCH', `/api/users/tokens/${made.id}/`, { body: { expires: soon } })
    const header = `Token ${made.token}`
    expect((await send('GET', header)).status).toBe(200)
    clock.advance(60_000)
    expect((await send('GET', header)).status).toBe(403)
  })

  it('a token follows the permissions of its user at once', async () => {
    const made = await make(1)
    const header = `Token ${made.token}`
    expect((await send('GET', header)).status).toBe(200)
    const found = await api.ask('GET', `/api/users/permissions/?user_id=${made.user}`)
    const path = `/api/users/permissions/${found.json.results?.[0]?.id}/`
    await api.ask('PATCH', path, { body: { enabled: false } })
    expect((await send('GET', header)).status).toBe(403)
  })
})
