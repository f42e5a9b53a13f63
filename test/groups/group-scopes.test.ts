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
