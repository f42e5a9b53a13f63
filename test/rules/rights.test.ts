import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toolsOf } from '../agents/client.ts'
import { type Api, type Document, startApi } from '../support/api.ts'

/** What users with few rights, and their agents, learn of findings. */
describe('findings', () => {
  let api: Api
  const site = { open: 0, hidden: 0 }
  beforeAll(async () => {
    api = await startApi({ API_VERSION: '4.7', MCP_ENABLED: 'true', MCP_CALLS_PER_MINUTE: '0' })
    site.open = await api.make('dcim/sites', { name: 'Open', slug: 'open' })
    site.hidden = await api.make('dcim/sites', { name: 'Hidden', slug: 'hidden' })
    for (const [name, id] of [
      ['Rack 1', site.open],
      ['Rack 2', site.hidden],
    ] as const) {
      await api.make('dcim/racks', { name, site: id, u_height: 48 })
    }
    const rule = { object_type: 'dcim.site', message: 'Wrong' }
    await api.make('extras/rules', { ...rule, name: 'Alone', expression: "facility != ''" })
    await api.make('extras/rules', { ...rule, name: 'Racks', expression: 'all(racks where u_height < 45)' })
    await api.background.runUntilIdle()
  })
  afterAll(() => api.close())

  let users = 0
  /** The token of a user with these permissions. */
  const tokenOf = async (
    permissions: readonly (readonly [type: string, constraints: object | null])[],
    more: object = {},
  ): Promise<string> => {
    users += 1
    const user = await api.make('users/users', { username: `user${users}`, password: 'Long-enough-1' })
    for (const [type, constraints] of [['extras.finding', null], ['extras.rule', null], ...permissions] as const) {
      await api.make('users/permissions', {
        ...{ name: 'p', users: [user], object_types: [type], actions: ['view', 'propose'], constraints },
      })
    }
    await api.make('users/permissions', {
      ...{ name: 'b', users: [user], object_types: ['core.branch', 'core.changerequest'], actions: ['view', 'add'] },
    })
    return String((await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1, ...more } })).json.key)
  }
  const OPEN_SITES = ['dcim.site', { slug: 'open' }] as const
  const texts = ({ results }: Document): readonly string[] =>
    (results ?? []).map(({ rule, object }) => `${rule?.name}: ${object?.display}`).toSorted()

  it.each<[string, readonly (readonly [string, object | null])[], readonly string[]]>([
    ['nothing', [], []],
    ['some sites', [OPEN_SITES], ['Alone: Open']],
    ['some sites and racks', [OPEN_SITES, ['dcim.rack', { name: 'Rack 1' }]], ['Alone: Open']],
    ['some sites and all racks', [OPEN_SITES, ['dcim.rack', null]], ['Alone: Open', 'Racks: Open']],
    [
      'all sites and racks',
      [
        ['dcim.site', null],
        ['dcim.rack', null],
      ],
      ['Alone: Hidden', 'Alone: Open', 'Racks: Hidden', 'Racks: Open'],
    ],
  ])('are visible to a user who may view %s', async (_what, permissions, expected) => {
    const token = await tokenOf(permissions)
    const { json } = await api.ask('GET', '/api/extras/findings/', { token })
    expect([texts(json), json.count]).toEqual([expected, expected.length])
    const query = '{ finding_list { rule { name } } }'
    const { text } = await api.ask('POST', '/graphql/', { token, body: { query } })
    expect(text.match(/"name"/g)?.length ?? 0).toBe(expected.length)
    const page = await api.ask('GET', '/extras/findings/', { token, headers: { accept: 'text/html' } })
    expect(page.text.includes('Hidden')).toBe(expected.some((text) => text.includes('Hidden')))
  })

  it('of a branch are visible like those of main', async () => {
    const branch = await api.make('core/branches', { name: 'Renamed sites' })
    for (const id of [site.open, site.hidden]) {
      await api.ask('PATCH', `/api/dcim/sites/${id}/?branch=Renamed sites`, { body: { facility: 'F' } })
    }
    const seen = async (permissions: readonly (readonly [string, object | null])[]) => {
      const token = await tokenOf(permissions)
      const { json } = await api.ask('GET', `/api/core/branches/${branch}/findings/`, { token })
      return json.results?.map(({ state, object_id: id }) => [state, id])
    }
    expect(await seen([OPEN_SITES])).toEqual([['resolved', site.open]])
    expect(await seen([])).toEqual([])
  })

  it('are part of what agents read and plan', async () => {
    const token = await tokenOf(
      [
        ['dcim.site', null],
        ['dcim.rack', null],
      ],
      { plans_only: true },
    )
    const call = toolsOf(api, token)
    const { document } = await call('read', { type: 'dcim.site', id: site.open })
    expect(document.findings).toHaveLength(2)
    const planned = await call('plan', {
      title: 'A site without a facility',
      try: true,
      writes: [{ method: 'POST', path: 'dcim/sites/', body: { name: 'Planned', slug: 'planned' } }],
    })
    expect(planned.document, planned.text).toMatchObject({
      findings: [{ rule: { name: 'Alone' }, display: 'Planned' }],
    })
  })

  it('are not named by refusals to those who may not view the object', async () => {
    await api.make('extras/rules', {
      ...{ name: 'Units', object_type: 'dcim.site', expression: 'sum(racks.u_height) < 60', severity: 'refuse' },
      message: 'Too many units.',
    })
    const user = await api.make('users/users', { username: 'racker', password: 'Long-enough-1' })
    await api.make('users/permissions', {
      ...{ name: 'r', users: [user], object_types: ['dcim.rack'], actions: ['view', 'change'] },
    })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    const racks = await api.ask('GET', `/api/dcim/racks/?site_id=${site.hidden}`)
    const [rack] = racks.json.results ?? []
    const token = String(json.key)
    const refused = await api.ask('PATCH', `/api/dcim/racks/${rack?.id}/`, { token, body: { u_height: 70 } })
    expect([refused.status, refused.json]).toEqual([
      400,
      { __all__: ['After this change, a site that you may not view would break a rule: Too many units.'] },
    ])
  })
})
