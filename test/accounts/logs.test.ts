import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, type Api, apiOfTest, startApi } from '../support/api.ts'
import { LogLines } from '../support/log-lines.ts'

const PASSWORD = 'Corr3ct-Horse-Battery'
const NEW_PASSWORD = 'An0ther-Horse-Battery'
const MISTYPED = 'Corr3ct-Horse-Batterx'
const SUPERUSER_PASSWORD = 'superuser-Passw0rd'
const SECRET_KEY = `signing-${'s'.repeat(50)}`
const PEPPER = `pepper-${'p'.repeat(50)}`
const SUPPLIED_KEY = 'feedface'.repeat(5)
const WRONG_KEY = 'deadbeef'.repeat(5)

describe('the log', () => {
  const log = new LogLines()
  const secrets = new Map<string, string>(
    Object.entries({
      PASSWORD,
      NEW_PASSWORD,
      MISTYPED,
      SUPERUSER_PASSWORD,
      SECRET_KEY,
      PEPPER,
      SUPPLIED_KEY,
      WRONG_KEY,
      ADMIN_TOKEN,
    }),
  )
  let api: Api
  beforeAll(async () => {
    api = await startApi(
      {
        LOG_LEVEL: 'trace',
        SUPERUSER_PASSWORD,
        SECRET_KEY,
        API_TOKEN_PEPPERS: JSON.stringify({ 1: PEPPER }),
        ALLOW_TOKEN_RETRIEVAL: 'true',
      },
      log,
    )
    await live(api)
  })
  afterAll(() => api.close())

  const provision = (body: unknown) => api.ask('POST', '/api/users/tokens/provision/', { token: null, body })

  /** Requests to everything that handles secrets, valid and invalid. */
  async function live(api: Api): Promise<void> {
    const body = { username: 'alice', password: PASSWORD }
    const { json } = await api.ask('POST', '/api/users/users/', { body })
    const user = Number(json.id)
    const made = await provision(body)
    await provision({ username: 'alice', password: MISTYPED })
    // A password typed into the wrong field.
    await provision({ username: PASSWORD, password: 'x' })
    await provision({ username: ['alice'], password: { a: PASSWORD } })
    await api.ask('POST', '/api/users/users/', {
      body: `{"username": "bob", "password": "${PASSWORD}"`,
      headers: { 'content-type': 'application/json' },
    })
    await api.ask('POST', '/api/users/users/', { body: { ...body, password: [PASSWORD] } })
    const token = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 2 } })
    await api.ask('POST', '/api/users/tokens/', { body: { user, key: SUPPLIED_KEY } })
    await api.ask('GET', `/api/users/tokens/?key=${SUPPLIED_KEY}&token=${SUPPLIED_KEY}`)
    const alice = String(made.json.key)
    await api.ask('GET', '/api/dcim/sites/', { token: alice })
    await api.ask('GET', '/api/dcim/sites/', { token: WRONG_KEY })
    await api.ask('GET', '/api/dcim/sites/', { token: `${token.json.key}.${token.json.token}` })
    await api.ask('GET', '/api/dcim/sites/', { token: `nbt_${token.json.key}.${WRONG_KEY}` })
    await api.ask('POST', '/login/', {
      token: null,
      body: `username=alice&password=${MISTYPED}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const path = `/api/users/users/${user}/`
    await api.ask('PATCH', path, { body: { password: NEW_PASSWORD } })
    await api.ask('PATCH', path, { body: { is_active: false } })
    await api.ask('PATCH', path, { body: { is_active: true } })
    await api.ask('PATCH', `/api/users/tokens/${token.json.id}/`, { body: { enabled: false } })
    await api.ask('DELETE', `/api/users/tokens/${token.json.id}/`)
    await api.ask('DELETE', path)
    for (const [name, value] of Object.entries({ v1: made.json.key, v2: token.json.token })) {
      secrets.set(name, String(value))
    }
  }

  it('has no line that contains a secret', () => {
    expect(log.text.split('\n').length).toBeGreaterThan(20)
    for (const [name, secret] of secrets) {
      expect(secret.length, name).toBeGreaterThan(10)
      expect(log.text.includes(secret), name).toBe(false)
    }
    expect(log.text).not.toContain('argon2id')
  })

  const from = { address: expect.stringMatching(/127\.0\.0\.1$/) }
  const by = { by: 'admin', request: expect.stringMatching(/^[0-9a-f-]{36}$/) }
  const ids = [expect.any(Number)]
  it.each([
    { event: 'superuserMade', user: 'admin' },
    { event: 'userCreated', ids, ...by },
    { event: 'login', user: 'alice', way: 'password', ...from },
    { event: 'tokenCreated', ids, by: 'alice' },
    { event: 'loginFailed', reason: 'wrong password', user: 'alice', ...from },
    { event: 'loginFailed', reason: 'unknown user', ...from },
    { event: 'permissionDenied', user: 'alice', method: 'GET', path: '/api/dcim/sites/', ...from },
    { event: 'tokenRefused', reason: 'Invalid v1 token', ...from },
    { event: 'tokenRefused', reason: 'Invalid v2 token', ...from },
    { event: 'passwordChanged', ids, ...by },
    { event: 'userDeactivated', ids, ...by },
    { event: 'userActivated', ids, ...by },
    { event: 'tokenChanged', ids, ...by },
    { event: 'tokenDeleted', ids, ...by },
    { event: 'userDeleted', ids, ...by },
  ])('reports $event', (expected) => {
    expect(log.audited).toContainEqual(expect.objectContaining(expected))
  })

  it('reports tokens that are deleted with their user', () => {
    const gone = log.audited.filter(({ event }) => event === 'tokenDeleted')
    expect(gone.flatMap((line) => line.ids)).toHaveLength(3)
  })

  it('does not report what was rolled back', async () => {
    const before = log.audited.length
    const body = [
      { username: 'carol', password: PASSWORD },
      { username: 'alice!', password: PASSWORD },
    ]
    expect((await api.ask('POST', '/api/users/users/', { body })).status).toBe(400)
    expect(log.audited).toHaveLength(before)
  })
})

it('a SUPERUSER_PASSWORD that violates the policy is accepted with a warning', async () => {
  const log = new LogLines()
  const environment = { LOG_LEVEL: 'warn', SUPERUSER_PASSWORD: 'admin' }
  const api = await apiOfTest(environment, log)
  const body = { username: 'admin', password: 'admin' }
  const answer = await api.ask('POST', '/api/users/tokens/provision/', { token: null, body })
  expect(answer.status).toBe(201)
  expect(log.text).toContain(
    'SUPERUSER_PASSWORD is used although it breaks the password rules: Use at least 12 characters.',
  )
})
