import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const EVENTS = '/api/core/events/'

/** The visible parts of an event; `before` and `after` are the name in the data. */
interface Seen {
  readonly event: unknown
  readonly name: unknown
  readonly before: unknown
  readonly after: unknown
}

describe('a reader of the stream', () => {
  let api: Api
  const change = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status, text } = await api.ask(method, `/api/${path}/`, { body })
    expect(status, text).toBeLessThan(300)
  }
  let count = 0
  /** A user with permissions to view, by object type. */
  const reader = async (permissions: Readonly<Record<string, unknown>>) => {
    count += 1
    const password = 'Corr3ct-Horse-Battery'
    const user = await api.make('users/users', { username: `reader${count}`, password })
    const ids: number[] = []
    for (const [type, constraints] of Object.entries(permissions)) {
      const body = { name: `view ${type}`, object_types: [type], actions: ['view'], constraints }
      ids.push(await api.make('users/permissions', { ...body, users: [user] }))
    }
    const answer = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    return { token: String(answer.json.key), tokenId: Number(answer.json.id), permissions: ids }
  }
  const see = async (token: string, after: number): Promise<readonly Seen[]> => {
    await api.background.runUntilIdle()
    const { json, status, text } = await api.ask('GET', `${EVENTS}?after=${after}`, { token })
    expect(status, text).toBe(200)
    return [...(json.results ?? [])].map((result) => ({
      event: result.event,
      name: result.object_repr,
      before: result.prechange_data?.name ?? null,
      after: result.postchange_data?.name ?? null,
    }))
  }
  const now = async (): Promise<number> => {
    await api.background.runUntilIdle()
    return Number((await api.ask('GET', `${EVENTS}?after=now`)).json.position)
  }

  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  it('without the permission to view change records is refused', async () => {
    const { token } = await reader({ 'dcim.site': null })
    expect((await api.ask('GET', EVENTS, { token })).status).toBe(403)
    expect((await api.ask('GET', EVENTS, { token: null })).status).toBe(403)
  })

  it('gets the events of objects that it may view, and of no others', async () => {
    const { token } = await reader({
      'core.objectchange': null,
      'dcim.site': { status: 'active' },
      'tenancy.tenant': null,
    })
    const start = await now()
    await api.make('dcim/sites', { name: 'Open', slug: 'open' })
    await api.make('dcim/sites', { name: 'Hidden', slug: 'hidden', status: 'planned' })
    await api.make('tenancy/tenants', { name: 'Acme', slug: 'acme' })
    await api.make('dcim/regions', { name: 'Region', slug: 'region' })
    expect((await see(token, start)).map(({ name }) => name)).toEqual(['Open', 'Acme'])
  })

  it('gets only the records that its permission to view change records selects', async () => {
    const { token } = await reader({
      'core.objectchange': { action: 'delete' },
      'dcim.site': null,
    })
    const start = await now()
    const id = await api.make('dcim/sites', { name: 'Brief', slug: 'brief' })
    await change('DELETE', `dcim/sites/${id}`)
    expect((await see(token, start)).map(({ event }) => event)).toEqual(['object_deleted'])
  })

  describe('with constraints', () => {
    it('gets the deletion of an object that it could view', async () => {
      const region = await api.make('dcim/regions', { name: 'North', slug: 'north' })
      const { token } = await reader({
        'core.objectchange': null,
        'dcim.site': { region__slug: 'north' },
      })
      const start = await now()
      const shown = await api.make('dcim/sites', { name: 'Mine', slug: 'mine', region })
      const hidden = await api.make('dcim/sites', { name: 'Theirs', slug: 'theirs' })
      await change('DELETE', `dcim/sites/${shown}`)
      await change('DELETE', `dcim/sites/${hidden}`)
      expect(await see(token, start)).toEqual([
        { event: 'object_created', name: 'Mine', before: null, after: 'Mine' },
        { event: 'object_deleted', name: 'Mine', before: 'Mine', after: null },
      ])
    })

    it('learns that an object has left its permissions, but not its new values', async () => {
      const { token } = await reader({
        'core.objectchange': null,
        'dcim.site': { status: 'active' },
      })
      const start = await now()
      const id = await api.make('dcim/sites', { name: 'Before', slug: 'moving' })
      await change('PATCH', `dcim/sites/${id}`, { name: 'After', status: 'retired' })
      await change('PATCH', `dcim/sites/${id}`, { name: 'Later' })
      expect(await see(token, start)).toEqual([
        { event: 'object_created', name: 'Before', before: null, after: 'Before' },
        { event: 'object_updated', name: '', before: 'Before', after: null },
      ])
    })

    it.each([
      { key: 'generic relation', type: 'ipam.prefix', constraint: { scope_type: 'dcim.site' } },
      { key: 'network', type: 'ipam.prefix', constraint: { prefix: '10.1.0.0/16' } },
      { key: 'boolean', type: 'ipam.prefix', constraint: { is_pool: true } },
      { key: 'custom field', type: 'ipam.prefix', constraint: { custom_field_data__zone: 'a' } },
      { key: 'list of values', type: 'ipam.prefix', constraint: { status__in: ['reserved'] } },
      { key: 'the id', type: 'ipam.prefix', constraint: { id__gt: 0 } },
    ])('by $key gets the deletion', async ({ type, constraint }) => {
      if (Number((await api.ask('GET', '/api/extras/custom-fields/?name=zone')).json.count) === 0) {
        const body = { name: 'zone', type: 'text', object_types: ['ipam.prefix'] }
        await api.make('extras/custom-fields', body)
      }
      count += 1
      const scope_id = await api.make('dcim/sites', {
        name: `Scope ${count}`,
        slug: `scope-${count}`,
      })
      const { token } = await reader({ 'core.objectchange': null, [type]: constraint })
      const start = await now()
      const id = await api.make('ipam/prefixes', {
        ...{ prefix: '10.1.0.0/16', status: 'reserved', is_pool: true },
        ...{ scope_type: 'dcim.site', scope_id, custom_fields: { zone: 'a' } },
      })
      await change('DELETE', `ipam/prefixes/${id}`)
      const other = await api.make('ipam/prefixes', { prefix: '10.2.0.0/16' })
      await change('DELETE', `ipam/prefixes/${other}`)
      const names = (await see(token, start)).map(({ name }) => name)
      const both = 'id__gt' in constraint ? ['10.2.0.0/16', '10.2.0.0/16'] : []
      expect(names).toEqual(['10.1.0.0/16', '10.1.0.0/16', ...both])
    })

    it('that cannot be evaluated on records does not get the deletion', async () => {
      await api.make('extras/tags', { name: 'Secret', slug: 'secret' })
      const { token } = await reader({
        'core.objectchange': null,
        'dcim.site': [{ tags__slug: 'secret' }, { tags__isnull: true, status: 'planned' }],
      })
      const start = await now()
      const tags = [{ slug: 'secret' }]
      const id = await api.make('dcim/sites', { name: 'Tagged', slug: 'tagged', tags })
      expect((await see(token, start)).map(({ name }) => name)).toEqual(['Tagged'])
      await change('PATCH', `dcim/sites/${id}`, { status: 'planned', tags: [] })
      await change('DELETE', `dcim/sites/${id}`)
      expect(await see(token, start)).toEqual([])
    })
  })

  it('cannot filter by objects that are hidden from it', async () => {
    const { token } = await reader({
      'core.objectchange': null,
      'dcim.site': { slug: 'nothing' },
    })
    await api.make('dcim/sites', { name: 'Unseen', slug: 'unseen' })
    const { status, json } = await api.ask('GET', `${EVENTS}?site=unseen`, { token })
    expect([status, Object.keys(json)]).toEqual([400, ['site']])
  })
})
