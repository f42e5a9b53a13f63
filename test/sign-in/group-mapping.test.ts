import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, type Document, startApi } from '../support/api.ts'
import { LogLines } from '../support/log-lines.ts'

/** A proxy names people and groups in headers, so that a login takes one request. */
const PROVIDERS = [
  { type: 'header', name: 'sso', header: 'x-user', group_header: 'x-groups', groups: { guests: 'readers' } },
  { type: 'header', name: 'plain', header: 'x-plain-user', group_header: 'x-groups' },
  { type: 'header', name: 'blind', header: 'x-blind-user', default_groups: ['readers'] },
]
const MAPPINGS = '/api/users/group-mappings/'
const PREVIEW = `${MAPPINGS}preview/`

describe('the mapping of groups in the database', () => {
  let api: Api
  const log = new LogLines()
  const groups: Record<string, number> = {}
  beforeAll(async () => {
    api = await startApi(
      { AUTH_PROVIDERS: JSON.stringify(PROVIDERS), TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'info' },
      log,
    )
    for (const name of ['operators', 'readers', 'local']) groups[name] = await api.make('users/groups', { name })
  })
  afterAll(() => api.close())

  /** The person after a login at the provider. */
  const logIn = async (user: string, names: readonly string[], header = 'x-user'): Promise<Document> => {
    const browser = new Browser(api.url)
    const { status } = await browser.visit('/login/', { headers: { [header]: user, 'x-groups': names.join('|') } })
    expect(status).toBe(303)
    const { json } = await api.ask('GET', `/api/users/users/?username=${user}`)
    return json.results?.[0] ?? expect.fail(`no user ${user}`)
  }
  const groupsOf = async (user: string, names: readonly string[], header?: string): Promise<readonly string[]> =>
    [...((await logIn(user, names, header)).groups ?? [])].map(({ name }) => String(name)).sort()
  const isSuperuser = async (user: string): Promise<boolean> =>
    Number((await api.ask('GET', `/api/users/users/?is_superuser=true&username=${user}`)).json.count) > 0
  const map = (provider_group: string, more: Readonly<Record<string, unknown>>, provider = 'sso'): Promise<number> =>
    api.make('users/group-mappings', { provider, provider_group, ...more })

  it('assigns groups in addition to the mapping of the configuration, until it is deleted', async () => {
    const mapping = await map('net-ops', { group: groups.operators })
    expect(await groupsOf('alice', ['net-ops', 'guests', 'local'])).toEqual(['operators', 'readers'])
    expect(await groupsOf('alice', ['guests'])).toEqual(['readers'])
    expect(await groupsOf('alice', ['net-ops'])).toEqual(['operators'])
    await api.ask('DELETE', `${MAPPINGS}${mapping}/`)
    expect(await groupsOf('alice', ['net-ops'])).toEqual([])
  })

  it('does not touch groups that were assigned locally and that no mapping names', async () => {
    const mapping = await map('net-ops', { group: groups.operators })
    const { id } = await logIn('bob', [])
    await api.ask('PATCH', `/api/users/users/${id}/`, { body: { groups: [groups.local] } })
    expect(await groupsOf('bob', ['net-ops'])).toEqual(['local', 'operators'])
    await api.ask('DELETE', `${MAPPINGS}${mapping}/`)
    expect(await groupsOf('bob', ['net-ops'])).toEqual(['local'])
  })

  it('makes users superusers, until they lose the group or the mapping is deleted', async () => {
    const mapping = await map('net-admins', { is_superuser: true })
    await logIn('carol', ['net-admins'])
    expect(await isSuperuser('carol')).toBe(true)
    await logIn('carol', [])
    expect(await isSuperuser('carol')).toBe(false)
    await logIn('carol', ['net-admins'])
    await api.ask('DELETE', `${MAPPINGS}${mapping}/`)
    await logIn('carol', ['net-admins'])
    expect(await isSuperuser('carol')).toBe(false)
    expect(log.audited.filter(({ event }) => event === 'groupMappingChanged').at(-1)).toMatchObject({ ids: [mapping] })
  })

  it('does not apply to another provider, and replaces matching by name where it applies', async () => {
    expect(await groupsOf('dave', ['operators', 'local'], 'x-plain-user')).toEqual(['local', 'operators'])
    const other = await map('local', { group: groups.readers, is_superuser: true })
    expect(await groupsOf('dave', ['operators', 'local'], 'x-plain-user')).toEqual(['local', 'operators'])
    expect(await isSuperuser('dave')).toBe(false)
    const mapping = await map('local', { group: groups.readers }, 'plain')
    expect(await groupsOf('dave', ['operators', 'local'], 'x-plain-user')).toEqual(['readers'])
    for (const id of [other, mapping]) await api.ask('DELETE', `${MAPPINGS}${id}/`)
  })

  const refused: readonly (readonly [string, unknown, string])[] = [
    ['neither a group nor superusers', { provider: 'sso', provider_group: 'x' }, 'group'],
    ['no provider', { provider_group: 'x', is_superuser: true }, 'provider'],
    ['an empty group of the provider', { provider: 'sso', provider_group: '', is_superuser: true }, 'provider_group'],
    ['a group that does not exist', { provider: 'sso', provider_group: 'x', group: 4711 }, 'group'],
  ]
  it.each(refused)('a mapping with %s is refused', async (_name, body, field) => {
    const { status, json } = await api.ask('POST', MAPPINGS, { body })
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })

  it('an existing mapping is refused', async () => {
    const body = { provider: 'sso', provider_group: 'twice', is_superuser: true }
    expect((await api.ask('POST', MAPPINGS, { body })).status).toBe(201)
    expect((await api.ask('POST', MAPPINGS, { body })).status).toBe(400)
  })

  it('can be read and written only by superusers, whatever permissions other users have', async () => {
    const password = 'Corr3ct-Horse-Battery'
    await api.make('users/users', { username: 'eve', password })
    const user = Number((await api.ask('GET', '/api/users/users/?username=eve')).json.results?.[0]?.id)
    const types = ['users.user', 'users.group', 'users.objectpermission', 'users.token']
    await api.make('users/permissions', {
      ...{ name: 'administers', object_types: types, actions: ['view', 'add', 'change', 'delete'], users: [user] },
    })
    const forbidden = await api.ask('POST', '/api/users/permissions/', {
      body: { name: 'maps', object_types: ['users.groupmapping'], actions: ['add'] },
    })
    expect([forbidden.status, Object.keys(forbidden.json)]).toEqual([400, ['object_types']])
    const token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
    const requests: readonly (readonly [string, string, unknown])[] = [
      ['GET', MAPPINGS, undefined],
      ['POST', MAPPINGS, { provider: 'sso', provider_group: 'eves', is_superuser: true }],
      ['POST', PREVIEW, { provider: 'sso', groups: [] }],
    ]
    for (const [method, path, body] of requests) {
      expect((await api.ask(method, path, { token, body })).status, path).toBe(403)
      expect((await api.ask(method, path, { token: null, body })).status, path).toBe(403)
    }
    const browser = new Browser(api.url)
    await browser.logIn('eve', password)
    for (const path of ['/users/sign-in/', '/users/group-mappings/', '/users/group-mappings/add/']) {
      expect((await browser.visit(path)).status, path).toBe(403)
    }
  })

  it('has a preview, which shows what groups give, and why', async () => {
    const [operators, admins] = [
      await map('ops', { group: groups.operators, is_superuser: false }),
      await map('admins', { is_superuser: true }),
    ]
    await api.make('users/permissions', {
      ...{ name: 'edit sites', object_types: ['dcim.site'], actions: ['view', 'change'], groups: [groups.operators] },
      constraints: { name: 'A' },
    })
    await api.make('users/permissions', {
      ...{ name: 'off', enabled: false, object_types: ['dcim.site'], actions: ['add'], groups: [groups.operators] },
    })
    const body = { provider: 'sso', groups: ['ops', 'guests', 'admins', 'nobodies'] }
    const { status, json } = await api.ask('POST', PREVIEW, { body })
    expect(status).toBe(200)
    expect(json).toEqual({
      provider: 'sso',
      reads_groups: true,
      groups: [
        {
          id: groups.operators,
          name: 'operators',
          reasons: [{ source: 'database', provider_group: 'ops', mapping: operators }],
        },
        {
          id: groups.readers,
          name: 'readers',
          reasons: [{ source: 'configuration', provider_group: 'guests', mapping: null }],
        },
      ],
      is_superuser: true,
      superuser_reasons: [{ source: 'database', provider_group: 'admins', mapping: admins }],
      permissions: [
        {
          id: expect.any(Number),
          name: 'edit sites',
          object_types: ['dcim.site'],
          actions: ['view', 'change'],
          constrained: true,
          groups: ['operators'],
        },
      ],
      unused: ['nobodies'],
    })
    expect(await groupsOf('frank', body.groups)).toEqual(['operators', 'readers'])
    expect(await isSuperuser('frank')).toBe(true)
  })

  const previews: readonly (readonly [string, unknown, number, unknown])[] = [
    [
      'equal names',
      { provider: 'plain', groups: ['local', 'elsewhere'] },
      200,
      { groups: [{ name: 'local', reasons: [{ source: 'same name' }] }], is_superuser: null, unused: ['elsewhere'] },
    ],
    [
      'a provider without groups',
      { provider: 'blind', groups: [] },
      200,
      { reads_groups: false, groups: [{ name: 'readers', reasons: [{ source: 'default_groups' }] }] },
    ],
    ['an unknown provider', { provider: 'none', groups: [] }, 400, { provider: [expect.any(String)] }],
    ['no provider', {}, 400, { provider: [expect.any(String)] }],
    ['groups that are not a list', { provider: 'sso', groups: 'ops' }, 400, { groups: [expect.any(String)] }],
    ['a group that no text can be', { provider: 'plain', groups: ['a\0b'] }, 200, { groups: [], unused: ['a\0b'] }],
    ['no document', 'nothing', 400, { detail: expect.any(String) }],
  ]
  it.each(previews)('the preview of %s', async (_name, body, expected, part) => {
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await api.ask('POST', PREVIEW, { body, headers })
    expect(status).toBe(expected)
    expect(json).toMatchObject(Object(part))
  })

  it('has a page, which shows both mappings and the preview', async () => {
    await map('lost', { is_superuser: true }, 'gone')
    const browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
    const page = await browser.visit('/users/sign-in/?provider=sso&groups=ops%0D%0Aadmins')
    expect(page.status).toBe(200)
    for (const text of [
      'members of readers</td><td>Configuration',
      'members of operators</td><td><a href="/users/group-mappings/',
      'There are mappings for the provider gone, which is not configured',
      'plain has no mapping',
      'A superuser: may do everything.',
      'mapping of ops in the database',
      'edit sites</a>',
    ]) {
      expect(page.text).toContain(text)
    }
    expect((await browser.visit('/users/sign-in/?provider=none')).status).toBe(400)
    const form = await browser.visit('/users/group-mappings/add/')
    expect([form.status, form.text]).toEqual([200, expect.stringContaining('Name of the login provider')])
  })
})
