import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { ADMIN_TOKEN, type Api, apiOfTest, startApi } from '../support/api.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'

describe('tokens', () => {
  let api: Api
  let user: number
  beforeAll(async () => {
    api = await startApi()
    user = await makeUser('alice')
  })
  afterAll(() => api.close())

  const makeUser = async (username: string): Promise<number> => {
    const body = { username, password: PASSWORD }
    return Number((await api.ask('POST', '/api/users/users/', { body })).json.id)
  }
  const makeToken = async (wishes: Readonly<Record<string, unknown>> = {}) =>
    (await api.ask('POST', '/api/users/tokens/', { body: { user, ...wishes } })).json
  /** Status of a request with the header. */
  const knock = async (authorization: string): Promise<number> =>
    (
      await api.ask('GET', '/api/authentication-check/', {
        token: null,
        headers: { authorization },
      })
    ).status

  it('the key is shown when the token is created, and never again', async () => {
    const made = await makeToken({ description: 'mine' })
    expect(made).toMatchObject({ version: 1, description: 'mine', write_enabled: true })
    expect(String(made.key)).toMatch(/^[0-9a-f]{40}$/)
    expect(made.token).toBe(made.key)
    expect(made.display).toBe(`${'*'.repeat(34)}${String(made.key).slice(-6)}`)
    const { json } = await api.ask('GET', `/api/users/tokens/${made.id}/`)
    expect([json.key, json.token]).toEqual([null, null])
    expect(await knock(`Token ${made.key}`)).toBe(200)
    expect(await knock(`Bearer ${made.key}`)).toBe(200)
  })

  it('a stolen database does not reveal keys or passwords', async () => {
    const made = await makeToken()
    const rows = await api.service.database.query(sql`
      select t::text as token, u::text as user from users_token t join users_user u on u.id = t.user_id`)
    const everything = JSON.stringify(rows)
    expect(everything).not.toContain(String(made.key))
    expect(everything).not.toContain(ADMIN_TOKEN)
    expect(everything).not.toContain(PASSWORD)
  })

  it('a client can supply a key, once', async () => {
    const key = 'ab'.repeat(20)
    expect(await makeToken({ key })).toMatchObject({ key })
    expect(await knock(`Token ${key}`)).toBe(200)
    const again = await api.ask('POST', '/api/users/tokens/', { body: { user, key } })
    expect([again.status, Object.keys(again.json)]).toEqual([400, ['key']])
    const short = await api.ask('POST', '/api/users/tokens/', { body: { user, key: 'short' } })
    expect([short.status, Object.keys(short.json)]).toEqual([400, ['key']])
  })

  it('the user of a version 1 token can filter by its key', async () => {
    const mine = { token: String((await makeToken({ description: 'mine' })).key) }
    await api.ask('POST', '/api/users/permissions/', {
      body: {
        name: 'tokens',
        object_types: ['users.token'],
        actions: ['view', 'add', 'delete'],
        users: [user],
      },
    })
    const first = await makeToken()
    const second = await makeToken()
    const found = async (query: string, options: object = mine) => {
      const { status, json, text } = await api.ask('GET', `/api/users/tokens/?${query}`, options)
      expect(status, text).toBe(200)
      return json.results?.map(({ id }) => Number(id)).sort((a, b) => a - b)
    }
    const [a, b] = [Number(first.id), Number(second.id)]
    expect(await found(`key=${first.key}`)).toEqual([a])
    expect(await found(`key=${first.key}&key=${second.key}`)).toEqual([a, b])
    expect(await found(`key=${first.key}&id=${b}`)).toEqual([])
    expect(await found(`key=${first.key}&id=${a}&id=${b}`)).toEqual([a])
    expect(await found(`key=${first.key}&description=none`)).toEqual([])
    expect(await found(`key=${'0'.repeat(40)}`)).toEqual([])
    expect(await found(`key=${String(first.key).toUpperCase()}`)).toEqual([])
    // A user who may view the tokens of others cannot try keys on them.
    expect(await found(`key=${first.key}`, {})).toEqual([])
    expect(await found(`key=${ADMIN_TOKEN}`, {})).toEqual([1])
    expect(await found(`key=${ADMIN_TOKEN}`)).toEqual([])
    // The public key of a version 2 token can be filtered as usual.
    const public2 = await makeToken({ version: 2 })
    expect(await found(`key=${public2.key}`, {})).toEqual([Number(public2.id)])
    await api.ask('DELETE', `/api/users/tokens/${a}/`)
    expect(await found(`key=${first.key}`)).toEqual([])
  })

  it('version 2 consists of a public key and a secret', async () => {
    const { key, token } = await makeToken({ version: 2 })
    expect(await knock(`Bearer nbt_${key}.${token}`)).toBe(200)
    expect(await knock(`Token nbt_${key}.${token}`)).toBe(200)
    expect(await knock(`Bearer nbt_${key}.${String(token).replace(/.$/, '!')}`)).toBe(403)
    expect(await knock(`Bearer nbt_${key}`)).toBe(403)
    expect(await knock(`Bearer ${token}`)).toBe(403)
  })

  it.each([
    ['nothing', ''],
    ['another scheme', 'Basic YWRtaW46YWRtaW4='],
    ['an unknown key', `Token ${'0'.repeat(40)}`],
    ['no key', 'Token'],
    ['two keys', 'Token a b'],
  ])('%s is refused', async (_name, authorization) => {
    expect(await knock(authorization)).toBe(403)
  })

  it('a token can be read-only, disabled, expired, or restricted to addresses', async () => {
    const reading = await makeToken({ write_enabled: false })
    const body = { description: 'x' }
    const path = `/api/users/tokens/${reading.id}/`
    const token = String(reading.key)
    expect((await api.ask('GET', path, { token })).status).toBe(200)
    expect((await api.ask('PATCH', path, { token, body })).status).toBe(403)
    await api.ask('PATCH', path, { body: { write_enabled: true } })
    expect((await api.ask('PATCH', path, { token, body })).status).toBe(200)

    await api.ask('PATCH', path, { body: { enabled: false } })
    expect(await knock(`Token ${token}`)).toBe(403)
    await api.ask('PATCH', path, { body: { enabled: true, expires: '2020-01-01T00:00:00Z' } })
    expect(await knock(`Token ${token}`)).toBe(403)
    await api.ask('PATCH', path, { body: { expires: null, allowed_ips: ['192.0.2.0/24'] } })
    expect(await knock(`Token ${token}`)).toBe(403)
    await api.ask('PATCH', path, { body: { allowed_ips: ['127.0.0.0/8', '::1/128'] } })
    expect(await knock(`Token ${token}`)).toBe(200)
    await api.ask('DELETE', path)
    expect(await knock(`Token ${token}`)).toBe(403)
  })

  it('is refused once its user is inactive', async () => {
    const id = await makeUser('leaver')
    const { key } = await makeToken({ user: id })
    expect(await knock(`Token ${key}`)).toBe(200)
    await api.ask('PATCH', `/api/users/users/${id}/`, { body: { is_active: false } })
    expect(await knock(`Token ${key}`)).toBe(403)
  })

  it('records its last use', async () => {
    const { id, key } = await makeToken()
    const before = Date.now()
    await knock(`Token ${key}`)
    const { json } = await api.ask('GET', `/api/users/tokens/${id}/`)
    expect(Date.parse(String(json.last_used))).toBeGreaterThanOrEqual(before)
  })

  it('is created for a valid name and password only', async () => {
    const provision = (body: unknown) => api.ask('POST', '/api/users/tokens/provision/', { token: null, body })
    const made = await provision({ username: 'alice', password: PASSWORD, description: 'd' })
    expect(made).toMatchObject({ status: 201, json: { description: 'd', write_enabled: true } })
    expect(await knock(`Token ${made.json.key}`)).toBe(200)
    expect((await provision({ username: 'alice', password: 'wrong' })).status).toBe(403)
    expect((await provision({ username: 'nobody', password: PASSWORD })).status).toBe(403)
    expect((await provision({ username: 'alice' })).json).toHaveProperty('password')
  })

  it('is created for other users only with permission', async () => {
    const { key } = await makeToken()
    const token = String(key)
    const other = await makeUser('other')
    const make = (owner: number) => api.ask('POST', '/api/users/tokens/', { token, body: { user: owner } })
    expect((await make(user)).status).toBe(201)
    expect((await make(other)).status).toBe(403)
    expect((await make(999)).status).toBe(403)
    const grant = { name: 'g', object_types: ['users.token'], users: [user], constraints: null }
    await api.ask('POST', '/api/users/permissions/', { body: { ...grant, actions: ['add'] } })
    expect((await make(other)).status).toBe(403)
    await api.ask('POST', '/api/users/permissions/', { body: { ...grant, actions: ['grant'] } })
    expect((await make(other)).status).toBe(201)
  })

  it('can be retrieved again if that is allowed', async () => {
    const retrieving = await apiOfTest({ ALLOW_TOKEN_RETRIEVAL: 'true' })
    const { json } = await retrieving.ask('GET', '/api/users/tokens/')
    expect(json.results?.map(({ key }) => key)).toEqual([ADMIN_TOKEN])
    const [row] = await retrieving.service.database.query(sql`select t::text as t from users_token t`)
    expect(String(row?.t)).not.toContain(ADMIN_TOKEN)
  })

  it.each([
    ['short', 'Aa1'],
    ['without digits', 'Abcdefghijklmnop'],
    ['without capitals', 'abcdefghijklmnop1'],
  ])('a password %s is refused', async (_name, password) => {
    const answer = await api.ask('POST', '/api/users/users/', {
      body: { username: 'weak', password },
    })
    expect([answer.status, Object.keys(answer.json)]).toEqual([400, ['password']])
  })
})
