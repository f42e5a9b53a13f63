import { hash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { environmentOfTest } from '../support/program.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const SCIM_TOKEN = 'f1c4d09a2b7e4f5c8a3d6e9b0c1f2a3d4e5f60718293a4b5c6d7e8f901234567'
const PROVIDERS = [
  { type: 'scim', name: 'entra', token_sha256: hash('sha256', SCIM_TOKEN) },
  { type: 'header', name: 'sso', header: 'x-user' },
]
/** Milliseconds that docs/operate/sign-in.md promises. */
const LIMIT = 5_000

async function scim<T>(server: ServerProcess, method: string, path: string, body: object): Promise<T> {
  const answer = await fetch(`${server.url}/scim/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${SCIM_TOKEN}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return JSON.parse(text) as T
}

it('a person whom the provider deactivates at one process loses sessions and tokens at another', async () => {
  const environment = {
    ...(await environmentOfTest()),
    AUTH_PROVIDERS: JSON.stringify(PROVIDERS),
    TRUST_PROXY: '127.0.0.1',
  }
  const first = await startServer(environment)
  onTestFinished(() => first.kill())
  const second = await startServer(environment)
  onTestFinished(() => second.kill())

  const person = await scim<{ id: string }>(first, 'POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    ...{ userName: 'ada', externalId: 'ada', active: true },
  })
  const users = await send(first, 'GET', '/api/users/users/?username=ada')
  const { results } = (await users.json()) as { results: readonly { id: number }[] }
  const made = await send(first, 'POST', '/api/users/tokens/', { user: results[0]?.id })
  const { key } = (await made.json()) as { key: string }
  const browser = new Browser(second.url)
  await browser.visit('/login/', { headers: { 'x-user': 'ada' } })

  /** Whether the session and the token work at the second process. */
  const access = async (): Promise<readonly boolean[]> => {
    const withToken = await fetch(`${second.url}/api/status/`, { headers: { authorization: `Token ${key}` } })
    await withToken.text()
    return [(await browser.visit('/user/profile/')).status === 200, withToken.status === 200]
  }
  // Twice, so that the second process has cached what it can.
  expect([await access(), await access()]).toEqual([
    [true, true],
    [true, true],
  ])
  await scim(first, 'PATCH', `/Users/${person.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  })
  await expect.poll(access, { timeout: LIMIT, interval: 20 }).toEqual([false, false])
})
