import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../../support/api.ts'

const KIM = 'fedcba9876543210fedcba9876543210fedcba98'
let api: Api
let open = 0
let closed = 0
let lee = 0
/** The prefix of `open` in a VRF, and a long one of IPv6. */
let inVrf = 0
let long = 0
beforeAll(async () => {
  api = await startApi()
  const tenant = await api.make('tenancy/tenants', { name: 'T', slug: 't' })
  open = await api.make('ipam/prefixes', { prefix: '10.20.0.0/16', status: 'container', tenant })
  closed = await api.make('ipam/prefixes', { prefix: '10.30.0.0/16', status: 'container' })
  await api.make('ipam/prefixes', { prefix: '10.20.0.0/26' })
  const vrf = await api.make('ipam/vrfs', { name: 'Blue' })
  inVrf = await api.make('ipam/prefixes', { prefix: '10.20.0.0/16', status: 'container', vrf })
  long = await api.make('ipam/prefixes', { prefix: '2001:db8:1234:5678:9abc:def0:1234:fff0/124', status: 'container' })
  lee = await api.make('users/users', { username: 'lee', password: 'Storm-Lantern-7' })
  const user = await api.make('users/users', { username: 'kim', password: 'Storm-Lantern-7' })
  await api.make('users/tokens', { user, version: 1, token: KIM })
  await api.make('users/permissions', {
    ...{ name: 'ask', object_types: ['ipam.prefix'], actions: ['request'], users: [user] },
    constraints: [{ prefix: '10.20.0.0/16' }, { prefix: '2001:db8:1234:5678:9abc:def0:1234:fff0/124' }],
  })
  const { json } = await api.ask('GET', '/api/core/packs/?name=workbench')
  const { status, text } = await api.ask('PATCH', `/api/core/packs/${json.results?.[0]?.id}/`, {
    body: { settings: { reviewers: 'lee, nobody' } },
  })
  expect(status, text).toBe(200)
})
afterAll(() => api.close())

const ask = async (prefix: number, body: object) =>
  await api.ask('POST', `/api/ipam/prefixes/${prefix}/request/`, { body, token: KIM })
const count = async (path: string) => Number((await api.ask('GET', `/api/${path}/?limit=1`)).json.count)

it('who may only ask gets a change request with the first free network, which becomes one with the merge', async () => {
  const { status, json, text } = await ask(open, { prefix_length: 26, description: 'Cameras' })
  expect(status, text).toBe(201)
  expect(json.prefix).toBe('10.20.0.64/26')
  const request = (await api.ask('GET', `/api/core/change-requests/${json.change_request?.id}/`)).json
  expect([request.title, request.author?.username, request.status?.value]).toEqual([
    '/26 in 10.20.0.0/16: Cameras',
    'kim',
    'open',
  ])
  expect([...(request.reviewers ?? [])].map(({ id }) => id)).toEqual([lee])
  expect(await count('ipam/prefixes')).toBe(5)
  const merge = await api.ask('POST', `/api/core/branches/${json.branch?.id}/merge/`)
  expect(merge.status, merge.text).toBe(200)
  const { json: made } = await api.ask('GET', '/api/ipam/prefixes/?prefix=10.20.0.64/26')
  const [prefix] = made.results ?? []
  expect([prefix?.description, prefix?.status?.value, prefix?.tenant?.slug]).toEqual(['Cameras', 'active', 't'])
})

it('two open requests propose different networks', async () => {
  const answers = [
    await ask(open, { prefix_length: 26, description: 'First' }),
    await ask(open, { prefix_length: 25, description: 'Second' }),
    await ask(open, { prefix_length: 26, description: 'Third' }),
  ]
  expect(answers.map(({ json }) => json.prefix)).toEqual(['10.20.0.128/26', '10.20.1.0/25', '10.20.0.192/26'])
})

it('a proposal takes its network in its VRF only, whatever its change request says', async () => {
  const first = await ask(inVrf, { prefix_length: 26, description: 'Blue' })
  expect(first.json.prefix).toBe('10.20.0.0/26')
  const path = `/api/core/change-requests/${first.json.change_request?.id}/`
  await api.ask('PATCH', path, { body: { description: '10.20.0.128/25' } })
  expect((await ask(inVrf, { prefix_length: 26, description: 'Blue' })).json.prefix).toBe('10.20.0.64/26')
  await api.ask('PATCH', path, { body: { status: 'closed' } })
  expect((await ask(inVrf, { prefix_length: 26, description: 'Blue' })).json.prefix).toBe('10.20.0.0/26')
})

it.each([
  ['characters of two units, at every place', () => open, '🦊'.repeat(150)],
  ['characters of two units, one unit later', () => open, `x${'🦊'.repeat(149)}`],
  ['the longest address', () => long, 'x'.repeat(150)],
])('a purpose of 150 characters is accepted: %s', async (_name, prefix, description) => {
  const { status, text, json } = await ask(prefix(), { prefix_length: prefix() === long ? 128 : 30, description })
  expect(status, text).toBe(201)
  const title = String((await api.ask('GET', `/api/core/change-requests/${json.change_request?.id}/`)).json.title)
  expect([title.isWellFormed(), [...title].length <= 200]).toEqual([true, true])
})

it('requests that are sent at once propose different networks', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => ask(open, { prefix_length: 28, description: `Camera ${n}` })),
  )
  for (const { status, text } of answers) expect(status, text).toBe(201)
  expect(new Set(answers.map(({ json }) => json.prefix)).size).toBe(6)
})

it('a prefix that the inventory refuses leaves neither a branch nor a change request', async () => {
  const rule = await api.make('extras/rules', {
    ...{ name: 'No cameras', object_type: 'ipam.prefix', severity: 'refuse', message: 'No cameras here.' },
    expression: 'description != "Forbidden"',
  })
  const before = [await count('core/branches'), await count('core/change-requests')]
  const { status, text } = await ask(open, { prefix_length: 28, description: 'Forbidden' })
  expect([status, text]).toEqual([400, expect.stringContaining('No cameras here.')])
  expect([await count('core/branches'), await count('core/change-requests')]).toEqual(before)
  await api.ask('DELETE', `/api/extras/rules/${rule}/`)
})

it.each([
  ['another prefix', () => closed, { prefix_length: 26, description: 'X' }, 404],
  ['no purpose', () => open, { prefix_length: 26 }, 400],
  ['more than there is', () => open, { prefix_length: 16, description: 'X' }, 400],
  ['no length', () => open, { description: 'X' }, 400],
  ['half a character', () => open, { prefix_length: 26, description: '\ud83e' }, 400],
])('a request for %s is refused, and nothing of it remains', async (_name, prefix, body, expected) => {
  const before = [await count('core/branches'), await count('core/change-requests')]
  const { status, text } = await ask(prefix(), body)
  expect(status, text).toBe(expected)
  expect([await count('core/branches'), await count('core/change-requests')]).toEqual(before)
})

it('the menu marks the prefixes on the form', async () => {
  const { text } = await api.ask('GET', '/ipam/ask/', { headers: { accept: 'text/html' } })
  expect(/<a href="([^"]*)" aria-current="page">/.exec(text)?.[1]).toBe('/ipam/prefixes/')
})

it('the form offers these prefixes only, and says what is proposed', async () => {
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const { status, text } = await api.ask('GET', '/ipam/ask/', { headers, token: KIM })
  expect([status, [...text.matchAll(/<option value="(\d+)"/g)].map(([, id]) => Number(id))]).toEqual([
    200,
    [open, long, inVrf],
  ])
  expect(text).not.toContain('· Blue')
  expect((await api.ask('GET', '/ipam/ask/', { headers })).text).toContain('· Blue')
  const send = async (length: string) =>
    await api.ask('POST', '/ipam/ask/', {
      body: new URLSearchParams({ prefix: String(open), length, purpose: 'Printers' }).toString(),
      ...{ headers, token: KIM },
    })
  const refused = await send('/99')
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Expected a length from 17 to 32.')])
  const sent = await send('/24')
  expect(sent.status, sent.text).toBe(303)
  const next = await api.ask('GET', sent.headers.get('location') ?? '', { headers, token: KIM })
  expect(next.text).toContain('10.20.2.0/24 is proposed.')
})

it('the permission to ask is no permission to do anything else', async () => {
  const attempts = [
    ['GET', 'ipam/prefixes', undefined],
    ['POST', 'ipam/prefixes', { prefix: '10.20.9.0/24' }],
    ['POST', 'core/branches', { name: 'mine' }],
    ['GET', 'core/change-requests', undefined],
    ['POST', `ipam/prefixes/${open}/split`, { length: 17 }],
    ['POST', `ipam/prefixes/${open}/available-prefixes`, { prefix_length: 26 }],
  ] as const
  for (const [method, path, body] of attempts) {
    const { status } = await api.ask(method, `/api/${path}/`, { token: KIM, ...(body && { body }) })
    expect([path, status]).toEqual([path, 403])
  }
})
