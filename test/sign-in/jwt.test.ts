import { createServer, type Server } from 'node:http'
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOfTest, startApi } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { LogLines } from '../support/log-lines.ts'

const SITES = '/api/dcim/sites/'
const CLAIMS = { repository: 'example/network', ref: 'refs/heads/main' }

/** An issuer that publishes its metadata and its keys, as those of pipelines do. */
interface Issuer {
  readonly url: string
  readonly requests: string[]
  close(): Promise<void>
}

async function startIssuer(keys: readonly JWK[]): Promise<Issuer> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const requests: string[] = []
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const body = request.url === '/keys' ? { keys } : { issuer: url, jwks_uri: `${url}/keys` }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return { url, requests, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

type Key = Awaited<ReturnType<typeof generateKeyPair>>

describe('tokens of an issuer', () => {
  let api: Api
  let issuer: Issuer
  let stranger: Issuer
  let key: Key
  let otherKey: Key
  const log = new LogLines()
  const seconds = () => Math.floor(Date.now() / 1000)

  beforeAll(async () => {
    key = await generateKeyPair('ES256')
    otherKey = await generateKeyPair('ES256')
    issuer = await startIssuer([{ ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'ES256' }])
    stranger = await startIssuer([{ ...(await exportJWK(otherKey.publicKey)), kid: 'one', alg: 'ES256' }])
    const entry = { issuer: issuer.url, audience: 'cadastre' }
    const AUTH_JWT_ISSUERS = JSON.stringify([
      { ...entry, claims: CLAIMS, user: 'deploy' },
      { ...entry, claims: { repository: 'example/checks' }, user: 'checks', read_only: true },
      { ...entry, claims: { repository: 'example/gone' }, user: 'gone' },
      { ...entry, claims: { repository: 'example/nobody' }, user: 'nobody' },
    ])
    api = await startApi({ AUTH_JWT_ISSUERS, LOG_LEVEL: 'info' }, log)
    const users: number[] = []
    for (const username of ['deploy', 'checks']) {
      users.push(await api.make('users/users', { username, password: 'Corr3ct-Horse-Battery' }))
    }
    await api.make('users/users', { username: 'gone', password: 'Corr3ct-Horse-Battery', is_active: false })
    const actions = ['view', 'add']
    await api.make('users/permissions', { name: 'sites', object_types: ['dcim.site'], actions, users })
  })
  afterAll(async () => {
    await Promise.all([api.close(), issuer.close(), stranger.close()])
  })

  interface Token {
    readonly claims?: Readonly<Record<string, unknown>>
    readonly signer?: Key['privateKey'] | Uint8Array
    readonly algorithm?: string
    readonly kid?: string
  }
  const tokenOf = ({
    claims = {},
    signer = key.privateKey,
    algorithm = 'ES256',
    kid = 'one',
  }: Token): Promise<string> => {
    const now = seconds()
    const payload = { iss: issuer.url, aud: 'cadastre', iat: now, exp: now + 300, ...CLAIMS, ...claims }
    return new SignJWT(payload).setProtectedHeader({ alg: algorithm, kid }).sign(signer)
  }
  const ask = async (token: string, method = 'GET', body?: unknown) =>
    await api.ask(method, SITES, {
      token: null,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    })

  it('a job acts as the user in its claims, with the permissions of that user', async () => {
    const token = await tokenOf({})
    expect((await ask(token)).status).toBe(200)
    expect((await ask(token, 'POST', { name: 'Ams', slug: 'ams' })).status).toBe(201)
    const { json } = await api.ask('GET', '/api/core/object-changes/?user_name=deploy')
    expect(json.count).toBe(1)
    const devices = await api.ask('GET', '/api/dcim/devices/', {
      token: null,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(devices.status).toBe(403)
  })

  it('a token with read_only changes nothing', async () => {
    const token = await tokenOf({ claims: { repository: 'example/checks' } })
    expect((await ask(token)).status).toBe(200)
    expect((await ask(token, 'POST', { name: 'Rtm', slug: 'rtm' })).status).toBe(403)
  })

  // Difference from a valid token → whether it is accepted, for clocks that differ.
  it.each([
    ['a minute in the future', 60, false],
    ['20 seconds in the future', 20, true],
  ])('a token that begins %s: %s %s', async (_name, offset, isAccepted) => {
    const token = await tokenOf({ claims: { nbf: seconds() + offset } })
    expect((await ask(token)).status).toBe(isAccepted ? 200 : 403)
  })

  const forged: readonly (readonly [string, () => string | Promise<string>])[] = [
    ['signed by another key', () => tokenOf({ signer: otherKey.privateKey })],
    ['with an unknown key', () => tokenOf({ kid: 'two', signer: otherKey.privateKey })],
    [
      'without a signature',
      () =>
        new UnsecuredJWT({ iss: issuer.url, aud: 'cadastre', ...CLAIMS })
          .setIssuedAt()
          .setExpirationTime('5m')
          .encode(),
    ],
    [
      'signed with the public key as a shared secret',
      async () => tokenOf({ algorithm: 'HS256', signer: new TextEncoder().encode(await exportSPKI(key.publicKey)) }),
    ],
    [
      'with a changed payload',
      async () =>
        (await tokenOf({})).replace(
          /\.[^.]+\./,
          `.${(await tokenOf({ claims: { repository: 'example/checks' } })).split('.')[1]}.`,
        ),
    ],
    [
      'of an issuer that is not configured',
      () => tokenOf({ claims: { iss: stranger.url }, signer: otherKey.privateKey }),
    ],
    ['without an issuer', () => tokenOf({ claims: { iss: '' } })],
    ['for another audience', () => tokenOf({ claims: { aud: 'other' } })],
    ['without an audience', () => tokenOf({ claims: { aud: [] } })],
    ['that has expired', () => tokenOf({ claims: { exp: seconds() - 60 } })],
    ['that never expires', () => tokenOf({ claims: { exp: undefined } })],
    ['that is two days old', () => tokenOf({ claims: { iat: seconds() - 172_800 } })],
    ['of another branch', () => tokenOf({ claims: { ref: 'refs/heads/evil' } })],
    ['without a claim', () => tokenOf({ claims: { ref: undefined } })],
    ['with a list for a claim', () => tokenOf({ claims: { ref: ['refs/heads/main'] } })],
    ['of an inactive user', () => tokenOf({ claims: { repository: 'example/gone' } })],
    ['of a user who does not exist', () => tokenOf({ claims: { repository: 'example/nobody' } })],
    ['that is not a token', () => 'eyJ.eyJ.x'],
  ]
  it.each(forged)('a token %s is refused', async (_name, make) => {
    const token = await make()
    const { status, text } = await ask(token)
    expect([status, text]).toEqual([403, expect.stringContaining('detail')])
    expect(log.audited.at(-1)).toMatchObject({ event: 'tokenRefused' })
    expect(log.text).not.toContain(token)
    // A token must not choose where keys are fetched.
    expect(stranger.requests).toEqual([])
  })

  it('a user who is deactivated loses access at once', async () => {
    const token = await tokenOf({ claims: { repository: 'example/checks' } })
    expect((await ask(token)).status).toBe(200)
    const { json } = await api.ask('GET', '/api/users/users/?username=checks')
    await api.ask('PATCH', `/api/users/users/${json.results?.[0]?.id}/`, { body: { is_active: false } })
    expect((await ask(token)).status).toBe(403)
  })
})

describe('issuers of tokens', () => {
  it.each([
    ['no claims, so that everybody would fit', { claims: {} }, 'AUTH_JWT_ISSUERS[0].claims must name a claim.'],
    ['no audience', { audience: undefined }, 'AUTH_JWT_ISSUERS[0].audience is missing.'],
    ['plain http', { issuer: 'http://id.example.com' }, 'AUTH_JWT_ISSUERS[0].issuer must be a URL'],
    ['a misspelt option', { claim: { a: 'b' } }, 'AUTH_JWT_ISSUERS[0].claim is not an option.'],
  ])('prevent the start if they have %s', async (_name, change, sentence) => {
    const entry = { issuer: 'https://id.example.com', audience: 'a', claims: { a: 'b' }, user: 'u', ...change }
    await expect(apiOfTest({ AUTH_JWT_ISSUERS: JSON.stringify([entry]) })).rejects.toThrow(sentence)
  })

  it('an issuer that cannot be reached does not count as a refusal', async () => {
    const url = `http://localhost:${await freePort()}`
    const entry = { issuer: url, audience: 'a', claims: { a: 'b' }, user: 'u' }
    const api = await apiOfTest({ AUTH_JWT_ISSUERS: JSON.stringify([entry]) })
    const { privateKey } = await generateKeyPair('ES256')
    const token = await new SignJWT({ iss: url }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
    const headers = { authorization: `Bearer ${token}` }
    expect((await api.ask('GET', SITES, { token: null, headers })).status).toBe(503)
  })
})
