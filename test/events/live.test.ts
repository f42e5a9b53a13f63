import { connect as connectSocket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { eventStreamOf } from '../../src/changes/stream/event-stream.ts'
import { pruneEvents } from '../../src/changes/stream/prune-events.ts'
import { ADMIN_TOKEN, type Api, apiOfTest, startApi } from '../support/api.ts'
import { type EventReader, readEventSource } from '../support/event-source.ts'
import { eventually } from '../support/eventually.ts'

const EVENTS = '/api/core/events/'

const site = (name: string) => ({ name, slug: name.toLowerCase() })

describe('a client that waits for events', () => {
  /** A service whose events get their positions at once. */
  const start = async (environment?: Readonly<Record<string, string>>): Promise<Api> => {
    const api = await apiOfTest(environment)
    api.background.start()
    return api
  }
  const make = async (api: Api, path: string, body: unknown): Promise<number> => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  const connect = async (
    api: Api,
    query = '',
    { token = ADMIN_TOKEN, ...headers }: Readonly<Record<string, string>> = {},
  ): Promise<EventReader> => {
    const reader = await readEventSource(`${api.url}${EVENTS}${query}`, {
      authorization: `Token ${token}`,
      ...headers,
    })
    onTestFinished(() => reader.close())
    return reader
  }
  /** Id and object of the next messages. */
  const take = async (reader: EventReader, count: number): Promise<readonly string[]> => {
    const messages: string[] = []
    while (messages.length < count) {
      const message = await reader.next()
      if (!message) throw new Error(`The stream ended after ${messages.length} messages`)
      messages.push(`${message.id} ${JSON.parse(message.data ?? '{}').object_repr}`)
    }
    return messages
  }
  const limited = async (api: Api, username = 'reader') => {
    const password = 'Corr3ct-Horse-Battery'
    const user = await make(api, 'users/users', { username, password })
    const permission = await make(api, 'users/permissions', {
      ...{ name: 'view', actions: ['view'], users: [user] },
      object_types: ['core.objectchange', 'dcim.site'],
    })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    return { token: String(json.key), tokenId: Number(json.id), userId: user, permission }
  }

  it('by long polling gets the next change as its response', async () => {
    const api = await start()
    const waiting = api.ask('GET', `${EVENTS}?after=0&wait=60`)
    const filtered = api.ask('GET', `${EVENTS}?after=0&wait=60&event=object_deleted`)
    await eventually(() => expect(eventStreamOf(api.service).waiting).toBe(2))
    const id = await make(api, 'dcim/sites', site('Ams'))
    expect((await waiting).json.results).toMatchObject([{ object_repr: 'Ams', position: 1 }])
    await api.ask('DELETE', `/api/dcim/sites/${id}/`)
    expect((await filtered).json.results).toMatchObject([{ event: 'object_deleted', position: 2 }])
  })

  it('by long polling gets an empty list at the time limit', async () => {
    const api = await start()
    const { status, json } = await api.ask('GET', `${EVENTS}?wait=1`)
    expect([status, json.results, json.position]).toEqual([200, [], 0])
  })

  it('by a stream gets past and new events with their positions', async () => {
    const api = await start()
    await make(api, 'dcim/sites', site('Ams'))
    const reader = await connect(api)
    expect(await take(reader, 1)).toEqual(['1 Ams'])
    await make(api, 'dcim/sites', site('Ber'))
    await make(api, 'dcim/sites', site('Cdg'))
    expect(await take(reader, 2)).toEqual(['2 Ber', '3 Cdg'])
  })

  it('resumes after the last id that it received', async () => {
    const api = await start()
    await api.ask('POST', '/api/dcim/sites/', { body: ['Ams', 'Ber', 'Cdg'].map(site) })
    const first = await connect(api, '?after=0')
    expect(await take(first, 2)).toEqual(['1 Ams', '2 Ber'])
    first.close()
    const second = await connect(api, '?after=0', { 'last-event-id': '2' })
    expect(await take(second, 1)).toEqual(['3 Cdg'])
  })

  it('can ask for a stream by a parameter', async () => {
    const api = await start()
    await make(api, 'dcim/sites', site('Ams'))
    const reader = await connect(api, '?stream=true', { accept: '*/*' })
    expect(await take(reader, 1)).toEqual(['1 Ams'])
  })

  describe('gets no more events', () => {
    it('when its token is revoked', async () => {
      const api = await start()
      const { token, tokenId } = await limited(api)
      const reader = await connect(api, '?after=now', { token })
      await make(api, 'dcim/sites', site('Ams'))
      expect((await reader.next())?.data).toContain('Ams')
      await api.ask('DELETE', `/api/users/tokens/${tokenId}/`)
      await make(api, 'dcim/sites', site('Ber'))
      expect(await reader.next()).toBeUndefined()
    })

    it('within 15 seconds without an event once the user may not sign in any more', async () => {
      const api = await start()
      const ends: readonly ((token: number, user: number) => Promise<unknown>)[] = [
        (token) => api.ask('DELETE', `/api/users/tokens/${token}/`),
        (token) => api.ask('PATCH', `/api/users/tokens/${token}/`, { body: { enabled: false } }),
        (token) =>
          api.ask('PATCH', `/api/users/tokens/${token}/`, {
            body: { expires: '2020-01-01T00:00:00Z' },
          }),
        (_token, user) => api.ask('PATCH', `/api/users/users/${user}/`, { body: { is_active: false } }),
      ]
      const waiting = await Promise.all(
        ends.map(async (_end, number) => {
          const reader = await limited(api, `reader${number}`)
          const stream = await connect(api, '?after=now', { token: reader.token })
          const poll = api.ask('GET', `${EVENTS}?after=now&wait=60`, { token: reader.token })
          return { ...reader, stream, poll }
        }),
      )
      await eventually(() => expect(eventStreamOf(api.service).waiting).toBe(2 * ends.length))
      for (const [number, end] of ends.entries()) {
        const { tokenId, userId } = waiting[number] ?? {}
        await end(Number(tokenId), Number(userId))
      }
      const statuses = await Promise.all(waiting.map(async ({ poll }) => (await poll).status))
      expect(statuses).toEqual([403, 403, 403, 403])
      const last = await Promise.all(waiting.map(({ stream }) => stream.next()))
      expect(last).toEqual([undefined, undefined, undefined, undefined])
    }, 40_000)

    it('when its user loses a permission', async () => {
      const api = await start()
      const { token, permission } = await limited(api)
      const reader = await connect(api, '?after=now', { token })
      await make(api, 'dcim/sites', site('Ams'))
      expect((await reader.next())?.data).toContain('Ams')
      await api.ask('PATCH', `/api/users/permissions/${permission}/`, {
        body: { object_types: ['core.objectchange', 'dcim.region'] },
      })
      await make(api, 'dcim/sites', site('Ber'))
      await make(api, 'dcim/regions', site('North'))
      expect((await reader.next())?.data).toContain('North')
    })
  })

  it('by a stream misses nothing when users change the models, which ends the stream', async () => {
    const api = await start()
    const reader = await connect(api, '?after=0')
    await make(api, 'dcim/sites', site('Ams'))
    expect(await take(reader, 1)).toEqual(['1 Ams'])
    await make(api, 'plugins/custom-objects/custom-object-types', { name: 'thing', slug: 'things' })
    await make(api, 'dcim/sites', site('Ber'))
    const got = ['1']
    for (let message = await reader.next(); message; message = await reader.next()) got.push(message.id)
    const all = [...((await api.ask('GET', `${EVENTS}?after=0`)).json.results ?? [])].map(
      ({ position }) => `${position}`,
    )
    const resumed = await connect(api, '?after=0', { 'last-event-id': got.at(-1) ?? '' })
    const rest = await take(resumed, all.length - got.length)
    expect([...got, ...rest.map((message) => message.split(' ')[0])]).toEqual(all)
  })

  it('does not keep the service from stopping', async () => {
    const api = await startApi()
    api.background.start()
    const reader = await connect(api, '?after=now')
    const waiting = api.ask('GET', `${EVENTS}?after=now&wait=60`)
    await eventually(() => expect(eventStreamOf(api.service).waiting).toBe(2))
    await api.close()
    expect(await reader.next()).toBeUndefined()
    expect((await waiting).json.results).toEqual([])
  })

  it('but reads nothing does not delay other clients, and does not keep the service from stopping', async () => {
    const api = await startApi()
    api.background.start()
    const { hostname, port } = new URL(api.url)
    const stalled = connectSocket({ host: hostname, port: Number(port) })
    onTestFinished(() => void stalled.destroy())
    stalled.pause()
    stalled.write(`GET ${EVENTS}?stream=true HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${ADMIN_TOKEN}\r\n\r\n`)
    const reader = await connect(api)
    await eventually(() => expect(eventStreamOf(api.service).waiting).toBe(2))
    // More than the buffers of a connection can take.
    const comments = 'x'.repeat(50_000)
    for (let turn = 0; turn < 5; turn++) {
      const names = Array.from({ length: 50 }, (_, index) => `S${turn}-${index}`)
      const body = names.map((name) => ({ ...site(name), comments }))
      expect((await api.ask('POST', '/api/dcim/sites/', { body })).status).toBe(201)
      expect(await take(reader, names.length)).toHaveLength(names.length)
    }
    await api.close()
    expect(await reader.next()).toBeUndefined()
  })

  it('learns where to resume if its position has been deleted', async () => {
    const api = await apiOfTest()
    await api.ask('POST', '/api/dcim/sites/', { body: ['Ams', 'Ber'].map(site) })
    await api.background.runUntilIdle()
    const between = new Date(api.service.clock.now() + 1)
    expect(await pruneEvents(api.service.database, between)).toBe(1)
    const refused = await api.ask('GET', `${EVENTS}?after=0`)
    expect([refused.status, refused.json.resume_after]).toEqual([410, 1])
    const { json } = await api.ask('GET', `${EVENTS}?after=${refused.json.resume_after}`)
    expect(json.results).toMatchObject([{ position: 2, object_repr: 'Ber' }])
    await make(api, 'dcim/sites', site('Cdg'))
    await api.background.runUntilIdle()
    const later = await api.ask('GET', `${EVENTS}?after=2`)
    expect(later.json.results).toMatchObject([{ position: 3, object_repr: 'Cdg' }])
  })
})
