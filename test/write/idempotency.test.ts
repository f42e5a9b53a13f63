import { describe, expect, it, onTestFinished } from 'vitest'
import { PRUNERS } from '../../src/automation/jobs/pruners.ts'
import { type Api, apiOfTest, startApi } from '../support/api.ts'
import { TestClock } from '../support/test-clock.ts'

const post = (api: Api, path: string, body: unknown, key: string, token?: string) =>
  api.ask('POST', `/api/${path}`, {
    body,
    headers: { 'idempotency-key': key },
    ...(token !== undefined && { token }),
  })

describe('a POST with an Idempotency-Key', () => {
  it('is executed once and gets the same response again', async () => {
    const api = await apiOfTest()
    const body = { name: 'S', slug: 's' }
    const first = await post(api, 'dcim/sites/', body, '"k1"')
    const again = await post(api, 'dcim/sites/', body, 'k1')
    expect([again.status, again.text]).toEqual([201, first.text])
    for (const name of ['location', 'etag']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name))
    }
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect((await api.ask('GET', '/api/dcim/sites/')).json.count).toBe(1)
    expect((await api.ask('GET', '/api/core/object-changes/')).json.count).toBe(1)
  })

  it('allocates one address, however many requests are sent at once', async () => {
    const api = await apiOfTest()
    await api.ask('POST', '/api/ipam/prefixes/', { body: { prefix: '10.0.0.0/24' } })
    const path = 'ipam/prefixes/1/available-ips/'
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(api, path, { description: 'x' }, 'k')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await api.ask('GET', '/api/ipam/ip-addresses/')).json.count).toBe(1)
  })

  it('is refused if another request has used the key, with another body, query or path', async () => {
    const api = await apiOfTest()
    const body = { name: 'S', slug: 's' }
    await post(api, 'dcim/sites/', body, 'k')
    const others = [
      post(api, 'dcim/sites/', { name: 'T', slug: 't' }, 'k'),
      post(api, 'dcim/sites/?fields=id', body, 'k'),
      post(api, 'dcim/regions/', body, 'k'),
    ]
    for (const { status, json } of await Promise.all(others)) {
      expect([status, String(json.detail)]).toEqual([422, expect.stringContaining('Idempotency-Key')])
    }
    expect((await api.ask('GET', '/api/dcim/regions/')).json.count).toBe(0)
  })

  it('does not store refusals', async () => {
    const api = await apiOfTest()
    const body = { name: 'L', slug: 'l', site: { slug: 's' } }
    expect((await post(api, 'dcim/locations/', body, 'k')).status).toBe(400)
    await api.ask('POST', '/api/dcim/sites/', { body: { name: 'S', slug: 's' } })
    expect((await post(api, 'dcim/locations/', body, 'k')).status).toBe(201)
  })

  it('does not share the key with other users or dry runs', async () => {
    const api = await apiOfTest()
    const user = { username: 'u', password: 'Nemo-dat-14!' }
    const { json } = await api.ask('POST', '/api/users/users/', { body: user })
    const made = await api.ask('POST', '/api/users/tokens/', {
      body: { user: json.id, version: 1 },
    })
    const body = { name: 'S', slug: 's' }
    await post(api, 'dcim/sites/?dry_run=true', body, 'k')
    expect((await post(api, 'dcim/sites/', body, 'k')).status).toBe(201)
    expect((await post(api, 'dcim/sites/', body, 'k', String(made.json.key))).status).toBe(403)
  })

  it('stores no secret of a token', async () => {
    const api = await apiOfTest()
    const first = await post(api, 'users/tokens/', { user: 1, version: 1 }, 'k')
    const again = await post(api, 'users/tokens/', { user: 1, version: 1 }, 'k')
    expect(String(first.json.key)).toMatch(/^[0-9a-f]{40}$/)
    expect([again.status, again.json.id]).toEqual([201, first.json.id])
    expect(again.text).not.toContain(String(first.json.key))
  })

  it('is executed again after a day, when housekeeping has deleted the response', async () => {
    const clock = new TestClock()
    const api = await startApi({}, undefined, clock)
    onTestFinished(() => api.close())
    const pruner = PRUNERS.find(({ subject }) => subject === 'expired idempotency keys')
    const prune = () => pruner?.prune(api.service, new AbortController().signal)
    const body = { name: 'R', color: '112233' }
    const send = async () => (await post(api, 'extras/journal-entries/', body, 'k')).status
    await post(api, 'ipam/vrfs/', body, 'k')
    clock.advance(86_000_000)
    expect(await prune()).toBe(0)
    expect(await send()).toBe(422)
    clock.advance(500_000)
    expect(await send()).toBe(400)
    expect(await prune()).toBe(1)
  })

  it('is refused for a key that is empty or too long', async () => {
    const api = await apiOfTest()
    for (const key of ['""', 'x'.repeat(256)]) {
      expect((await post(api, 'dcim/sites/', { name: 'S', slug: 's' }, key)).status).toBe(400)
    }
  })
})
