import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'

/**
 * Two users whose permissions differ only in form: Ann's name a dynamic group, Bob's contain the constraints that the
 * filters of the group amount to. They must always see and change the same objects.
 */
describe('permissions by dynamic groups', () => {
  let api: Api
  let group: number
  let permission: number
  const tokens = { ann: 'a'.repeat(40), bob: 'b'.repeat(40), eve: 'e'.repeat(40) }
  type Name = keyof typeof tokens
  const users = new Map<string, number>()
  const types = ['dcim.site', 'dcim.rack', 'ipam.prefix']
  const allow = (user: Name, object_types: readonly string[], actions: readonly string[], constraints?: unknown) =>
    api.make('users/permissions', { name: `p-${user}`, users: [users.get(user)], object_types, actions, constraints })
  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'fatal' })
    for (const [username, key] of Object.entries(tokens)) {
      const user = await api.make('users/users', { username, password: 'Long-enough-1' })
      await api.make('users/tokens', { user, key, version: 1, token: key })
      users.set(username, user)
    }
    const region = await api.make('dcim/regions', { name: 'North', slug: 'north' })
    await api.make('dcim/regions', { name: 'Far north', slug: 'far-north', parent: region })
    for (const [index, place] of ['north', 'far-north', null, 'north', null].entries()) {
      const facility = index === 3 ? 'closed' : ''
      const body = { name: `S${index}`, slug: `s${index}`, region: place && { slug: place }, facility }
      const site = await api.make('dcim/sites', body)
      await api.make('dcim/racks', { name: `R${index}`, site })
    }
    group = await api.make('extras/dynamic-groups', {
      ...{ name: 'Northern', slug: 'northern', object_type: 'dcim.site' },
      parameters: { region: ['north'], facility__n: ['closed'] },
    })
    permission = await allow('ann', ['dcim.site'], ['view', 'change', 'add'], { dynamic_group: 'northern' })
    await allow('ann', ['dcim.rack'], ['view', 'delete'], [{ site__dynamic_group: 'northern' }])
    await allow('eve', ['extras.dynamicgroup'], ['view', 'add', 'change', 'delete'])
  })
  afterAll(() => api.close())

  const names = ({ results }: Document): readonly unknown[] => (results ?? []).map(({ name }) => name)
  const seen = async (user: Name, path: string): Promise<readonly unknown[]> =>
    names((await api.ask('GET', `/api/${path}`, { token: tokens[user] })).json)
  const status = async (user: Name, method: string, path: string, body?: object): Promise<number> =>
    (await api.ask(method, `/api/${path}`, { token: tokens[user], body })).status
  const idOf = async (path: string): Promise<number> =>
    Number((await api.ask('GET', `/api/${path}`)).json.results?.[0]?.id)

  it('select the members, directly and through relations', async () => {
    expect(await seen('ann', 'dcim/sites/')).toEqual(['S0', 'S1'])
    expect(await seen('ann', 'dcim/racks/')).toEqual(['R0', 'R1'])
    expect(await status('ann', 'PATCH', `dcim/sites/${await idOf('dcim/sites/?name=S0')}/`, { comments: 'x' })).toBe(
      200,
    )
    expect(await status('ann', 'PATCH', `dcim/sites/${await idOf('dcim/sites/?name=S2')}/`, { comments: 'x' })).toBe(
      404,
    )
    expect(await status('ann', 'POST', 'dcim/sites/', { name: 'out', slug: 'out' })).toBe(403)
    expect(await status('ann', 'DELETE', `dcim/racks/${await idOf('dcim/racks/?name=R2')}/`)).toBe(404)
    const query = '{ site_list { name } rack_list { name site { name } } }'
    const { json } = await api.ask('POST', '/graphql/', { body: { query }, token: tokens.ann })
    expect(json.data).toEqual({
      site_list: [{ name: 'S0' }, { name: 'S1' }],
      rack_list: [
        { name: 'R0', site: { name: 'S0' } },
        { name: 'R1', site: { name: 'S1' } },
      ],
    })
  })

  it('follow changes of the group and of its members at once, like equal constraints', async () => {
    const bob = await allow('bob', ['dcim.site'], ['view'])
    const cases: readonly (readonly [object, unknown])[] = [
      [{ facility: ['closed'] }, { facility: 'closed' }],
      [{ region: ['null'] }, { region__isnull: true }],
      [{ name: ['S1', 'S4'] }, { name__in: ['S1', 'S4'] }],
      [{ region: ['far-north'] }, { region__slug: 'far-north' }],
      [{ status__n: ['planned'] }, { status: 'active' }],
    ]
    for (const [parameters, constraints] of cases) {
      const changed = await api.ask('PATCH', `/api/extras/dynamic-groups/${group}/`, { body: { parameters } })
      expect(changed.status, changed.text).toBe(200)
      await api.ask('PATCH', `/api/users/permissions/${bob}/`, { body: { constraints } })
      const of = async (user: Name) => await seen(user, 'dcim/sites/')
      expect(await of('ann'), JSON.stringify(parameters)).toEqual(await of('bob'))
      const site = await idOf('dcim/sites/?name=S4')
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { status: 'planned' } })
      expect(await of('ann'), JSON.stringify(parameters)).toEqual(await of('bob'))
      await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { status: 'active' } })
    }
  })

  it('grant nothing if the filters can no longer be used', async () => {
    const region = await api.make('dcim/regions', { name: 'Brief', slug: 'brief' })
    const site = await idOf('dcim/sites/?name=S4')
    await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { region } })
    const filters = { parameters: { region__n: ['north', 'brief'] } }
    await api.ask('PATCH', `/api/extras/dynamic-groups/${group}/`, { body: filters })
    expect(await seen('ann', 'dcim/sites/')).toEqual(['S2'])
    await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { region: null } })
    expect(await seen('ann', 'dcim/sites/')).toEqual(['S2', 'S4'])
    expect((await api.ask('DELETE', `/api/dcim/regions/${region}/`)).status).toBe(204)
    expect(await seen('ann', 'dcim/sites/')).toEqual([])
    const { text } = await api.ask('GET', '/api/dcim/sites/?dynamic_group=northern')
    expect(text).toContain('The dynamic group \\"northern\\" cannot be used.')
    await api.ask('PATCH', `/api/extras/dynamic-groups/${group}/`, { body: { parameters: { region: ['north'] } } })
  })

  it('can be extended only by users who may change the permission', async () => {
    const edit = { parameters: { status: ['active'] } }
    const path = `extras/dynamic-groups/${group}/`
    const outer = { name: 'Inner', slug: 'inner', object_type: 'dcim.site', parameters: { facility: ['A'] } }
    const inner = await api.make('extras/dynamic-groups', outer)
    expect(await status('eve', 'PATCH', `extras/dynamic-groups/${inner}/`, edit)).toBe(200)
    const nested = { parameters: { dynamic_group: ['inner'] } }
    expect(await status('eve', 'PATCH', path, nested)).toBe(400)
    expect((await api.ask('PATCH', `/api/${path}`, { body: nested })).status).toBe(200)
    // Now the permission also depends on the inner group.
    expect(await status('eve', 'PATCH', `extras/dynamic-groups/${inner}/`, { parameters: { name: ['S0'] } })).toBe(400)
    expect(await status('eve', 'PATCH', `extras/dynamic-groups/${inner}/`, { description: 'harmless' })).toBe(200)
    expect(await status('eve', 'DELETE', path)).toBe(409)
    await allow('eve', ['users.objectpermission'], ['change'], { id: permission })
    expect(await status('eve', 'PATCH', path, edit)).toBe(400)
    await allow('eve', ['users.objectpermission'], ['change'])
    expect(await status('eve', 'PATCH', path, edit)).toBe(200)
  })

  it('name groups that exist, whose deletion is refused with the names of their users', async () => {
    const body = { name: 'p', object_types: types, actions: ['view'], constraints: { dynamic_group: 'nobody' } }
    const { status: refused, json } = await api.ask('POST', '/api/users/permissions/', { body })
    expect([refused, Object.keys(json)]).toEqual([400, ['constraints']])
    const { text } = await api.ask('DELETE', `/api/extras/dynamic-groups/${group}/`)
    expect(text).toContain('permission \\"p-ann\\"')
    const hidden = await api.ask('DELETE', `/api/extras/dynamic-groups/${group}/`, { token: tokens.eve })
    expect(hidden.text).toContain('a hidden permission')
    expect(hidden.text).not.toContain('p-ann')
  })
})

describe('dynamic groups', () => {
  let api: Api
  let group: number
  const devices: number[] = []
  beforeAll(async () => {
    api = await startApi({ LOG_LEVEL: 'fatal' })
    const region = await api.make('dcim/regions', { name: 'North', slug: 'north' })
    const sites = [
      await api.make('dcim/sites', { name: 'S0', slug: 's0', region }),
      await api.make('dcim/sites', { name: 'S1', slug: 's1' }),
    ]
    const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
    const device_type = await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
    const role = await api.make('dcim/device-roles', { name: 'R', slug: 'r' })
    for (const [index, site] of sites.entries()) {
      devices.push(await api.make('dcim/devices', { name: `D${index}`, site, device_type, role }))
    }
    group = await api.make('extras/dynamic-groups', {
      ...{ name: 'Northern', slug: 'northern', object_type: 'dcim.device', parameters: { region: ['north'] } },
    })
  })
  afterAll(() => api.close())

  const patch = (path: string, body: object, headers: Record<string, string> = {}) =>
    api.ask('PATCH', `/api/${path}/`, { body, headers })

  describe('of config contexts', () => {
    beforeAll(async () => {
      const machines = await api.make('extras/dynamic-groups', {
        ...{ name: 'Machines', slug: 'machines', object_type: 'virtualization.virtualmachine' },
        parameters: { name: ['V0'] },
      })
      const cluster_type = await api.make('virtualization/cluster-types', { name: 'C', slug: 'c' })
      const cluster = await api.make('virtualization/clusters', { name: 'C', type: cluster_type })
      for (const name of ['V0', 'V1']) await api.make('virtualization/virtual-machines', { name, cluster })
      await api.make('extras/config-contexts', {
        ...{ name: 'by group', weight: 1, data: { from: 'group' }, dynamic_groups: [group, machines] },
      })
      await api.make('extras/config-contexts', { name: 'all', weight: 0, data: { from: 'all' } })
    })

    const contexts = async (path = 'dcim/devices/?'): Promise<readonly unknown[]> => {
      const read = async () => {
        const { json } = await api.ask('GET', `/api/${path}`)
        return (json.results ?? []).map((object: Document) => object.config_context?.from)
      }
      // The second response may be cached.
      const first = await read()
      expect(await read()).toEqual(first)
      const query = '{ device_list { config_context } virtual_machine_list { config_context } }'
      const { json } = await api.ask('POST', '/graphql/', { body: { query } })
      const list = path.startsWith('dcim') ? 'device_list' : 'virtual_machine_list'
      if (path.endsWith('?')) {
        expect((json.data?.[list] ?? []).map((object: Document) => object.config_context?.from)).toEqual(first)
      }
      return first
    }

    it('give their data to the members only', async () => {
      expect(await contexts()).toEqual(['group', 'all'])
      expect(await contexts('virtualization/virtual-machines/?')).toEqual(['group', 'all'])
    })

    it('follow changes of other objects, and of the group, at once', async () => {
      const { json } = await api.ask('GET', '/api/dcim/sites/?name=S1')
      const site = json.results?.[0]?.id
      await patch(`dcim/sites/${site}`, { region: { slug: 'north' } })
      expect(await contexts()).toEqual(['group', 'group'])
      await patch(`dcim/sites/${site}`, { region: null })
      expect(await contexts()).toEqual(['group', 'all'])
      await patch(`extras/dynamic-groups/${group}`, { parameters: { name: ['D1'] } })
      expect(await contexts()).toEqual(['all', 'group'])
      const { json: branch } = await api.ask('POST', '/api/core/branches/', { body: { name: 'contexts' } })
      const headers = { 'X-NetBox-Branch': String(branch.schema_id) }
      await patch(`extras/dynamic-groups/${group}`, { parameters: { region: ['north'] } }, headers)
      expect(await contexts(`dcim/devices/?branch=${branch.schema_id}`)).toEqual(['group', 'all'])
      expect(await contexts()).toEqual(['all', 'group'])
      await patch(`extras/dynamic-groups/${group}`, { parameters: { region: ['north'] } })
    })
  })

  it('limit event rules to their members, also for deleted objects', async () => {
    const other = await api.make('users/users', { username: 'mia', password: 'Long-enough-1' })
    const notified = await api.make('extras/notification-groups', { name: 'N', users: [other] })
    await api.make('users/permissions', {
      ...{ name: 'p', object_types: ['dcim.device', 'extras.notification'], actions: ['view', 'delete'] },
      users: [other],
    })
    const key = 'm'.repeat(40)
    await api.make('users/tokens', { user: other, key, version: 1, token: key })
    await api.make('extras/event-rules', {
      ...{ name: 'E', object_types: ['dcim.device'], event_types: ['object_updated', 'object_deleted'] },
      ...{ action_type: 'notification', action_object_type: 'extras.notificationgroup', action_object_id: notified },
      dynamic_groups: [group],
    })
    const notifications = async (): Promise<readonly unknown[]> => {
      const { json } = await api.ask('GET', '/api/extras/notifications/', { token: key })
      const ids = (json.results ?? []).map(({ object_id: id }) => Number(id))
      for (const { id } of json.results ?? [])
        await api.ask('DELETE', `/api/extras/notifications/${id}/`, { token: key })
      return ids
    }
    for (const device of devices) await patch(`dcim/devices/${device}`, { comments: 'changed' })
    expect(await notifications()).toEqual([devices[0]])
    await patch(`extras/dynamic-groups/${group}`, { parameters: { name: ['D1'] } })
    for (const device of devices) await patch(`dcim/devices/${device}`, { comments: 'again' })
    expect(await notifications()).toEqual([devices[1]])
    for (const device of devices) await api.ask('DELETE', `/api/dcim/devices/${device}/`)
    expect(await notifications()).toEqual([devices[1]])
    const { text } = await api.ask('DELETE', `/api/extras/dynamic-groups/${group}/`)
    expect(text).toContain('event rule \\"E\\"')
    expect(text).toContain('config context \\"by group\\"')
  })
})
