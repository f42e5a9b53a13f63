import { hash } from 'node:crypto'
import SCIMMY from 'scimmy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { updateTable } from '../../src/sql/table.ts'
import { Browser } from '../sessions/browser.ts'
import { type Api, type ApiAnswer, type Document, startApi } from '../support/api.ts'
import { LogLines } from '../support/log-lines.ts'

const TOKEN = 'f1c4d09a2b7e4f5c8a3d6e9b0c1f2a3d4e5f60718293a4b5c6d7e8f901234567'
const OTHER_TOKEN = 'another-token-of-another-provider-0123456789abcdef'
const PASSWORD = 'Corr3ct-Horse-Battery'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

const PROVIDERS = [
  {
    ...{ type: 'scim', name: 'entra', token_sha256: hash('sha256', TOKEN), superuser_groups: ['Net Admins'] },
    groups: { 'Net Ops': 'operators' },
  },
  { type: 'scim', name: 'okta', token_sha256: `${'0'.repeat(64)},${hash('sha256', OTHER_TOKEN)}` },
  { type: 'header', name: 'sso', header: 'x-user' },
]

/** A request as a provider sends it. */
async function ask(
  api: Api,
  method: string,
  path: string,
  body?: unknown,
  token: string | null = TOKEN,
): Promise<ApiAnswer> {
  return await api.ask(method, `/scim/v2${path}`, {
    token: null,
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      accept: 'application/scim+json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
    },
  })
}

const start = async (log: LogLines): Promise<Api> => {
  const settings = { AUTH_PROVIDERS: JSON.stringify(PROVIDERS), TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'info' }
  const api = await startApi(settings, log)
  for (const name of ['operators', 'readers', 'local']) await api.make('users/groups', { name })
  return api
}

const userBody = (userName: string, more: object = {}): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  ...{ userName, externalId: `ext-${userName}`, active: true },
  ...more,
})

const patch = (...Operations: readonly object[]): object => ({ schemas: [PATCH_OP], Operations })

describe('SCIM', () => {
  let api: Api
  const log = new LogLines()
  beforeAll(async () => {
    api = await start(log)
  })
  afterAll(() => api.close())

  const provision = async (userName: string, more: object = {}): Promise<string> => {
    const { status, text, json } = await ask(api, 'POST', '/Users', userBody(userName, more))
    expect(status, text).toBe(201)
    return String(json.id)
  }
  const localUser = async (username: string): Promise<Document> =>
    (await api.ask('GET', `/api/users/users/?username=${username}`)).json.results?.[0] ?? expect.fail(username)
  const groupsOf = async (username: string): Promise<readonly string[]> =>
    [...((await localUser(username)).groups ?? [])].map(({ name }) => String(name)).sort()
  const isSuperuser = async (username: string): Promise<boolean> =>
    Number((await api.ask('GET', `/api/users/users/?is_superuser=true&username=${username}`)).json.count) > 0
  const makeGroup = async (displayName: string, members: readonly string[], token?: string): Promise<string> => {
    const body = { displayName, members: members.map((value) => ({ value })) }
    const { status, text, json } = await ask(api, 'POST', '/Groups', body, token)
    expect(status, text).toBe(201)
    return String(json.id)
  }

  it('describes itself', async () => {
    const config = await ask(api, 'GET', '/ServiceProviderConfig')
    expect(config.headers.get('content-type')).toContain('application/scim+json')
    expect(config.json).toMatchObject({
      patch: { supported: true },
      filter: { supported: true },
      bulk: { supported: false },
    })
    for (const [path, names] of [
      ['/ResourceTypes', ['User', 'Group']],
      ['/Schemas', ['User', 'Group']],
    ] as const) {
      const { json } = await ask(api, 'GET', path)
      expect([...(json.Resources ?? [])].map(({ name }) => name)).toEqual(names)
      const one = `${path}/${json.Resources?.[0]?.id}`
      expect((await ask(api, 'GET', one)).json.name).toBe('User')
    }
    expect((await ask(api, 'GET', '/Schemas/urn:none')).status).toBe(404)
  })

  it('creates a user, which another implementation of SCIM can read', async () => {
    const more = {
      name: { givenName: 'Alice', familyName: 'Adams', formatted: 'Alice Adams' },
      emails: [
        { value: 'private@example.com', type: 'home' },
        { value: 'alice@example.com', type: 'work', primary: true },
      ],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Network' },
      title: 'Engineer',
    }
    const { status, json, headers } = await ask(api, 'POST', '/Users', userBody('alice', more))
    expect([status, headers.get('location')]).toEqual([201, `${api.url}/scim/v2/Users/${json.id}`])
    expect(json).toMatchObject({
      ...{ userName: 'alice', externalId: 'ext-alice', active: true, displayName: 'Alice Adams', groups: [] },
      ...{ name: { givenName: 'Alice', familyName: 'Adams' }, emails: [{ value: 'alice@example.com', primary: true }] },
    })
    expect(await localUser('alice')).toMatchObject({
      first_name: 'Alice',
      last_name: 'Adams',
      email: 'alice@example.com',
    })
    const { json: shown } = await ask(api, 'GET', `/Users/${json.id}`)
    expect(shown).toEqual(json)
    expect(new SCIMMY.Schemas.User(JSON.parse(JSON.stringify(shown)), 'out')).toMatchObject({ userName: 'alice' })
    expect(JSON.stringify(log.audited)).toContain('userCreated')
  })

  it('finds users by filters and page by page', async () => {
    for (const name of ['list-a', 'list-b', 'list-c']) await provision(name)
    const find = async (query: string) => {
      const { status, json } = await ask(api, 'GET', `/Users?${query}`)
      expect(status).toBe(200)
      return { total: json.totalResults, names: [...(json.Resources ?? [])].map(({ userName }) => userName), json }
    }
    const filter = (text: string): string => `filter=${encodeURIComponent(text)}`
    expect((await find(filter('userName eq "LIST-B"'))).names).toEqual(['list-b'])
    expect((await find(filter('externalId eq "ext-list-c"'))).names).toEqual(['list-c'])
    expect((await find(filter('userName eq "list-a" and active eq true'))).names).toEqual(['list-a'])
    expect((await find(filter('userName eq "list-a" and active eq "False"'))).names).toEqual([])
    expect((await find(filter('userName eq "nobody\\""'))).total).toBe(0)
    // The provider must not see users that it did not create.
    expect((await find(filter('userName eq "admin"'))).total).toBe(0)
    const all = await find('')
    const second = await find('startIndex=2&count=2')
    expect([second.total, second.names]).toEqual([all.total, all.names.slice(1, 3)])
    expect(second.json).toMatchObject({ startIndex: 2, itemsPerPage: 2 })
    expect((await find('count=0')).names).toEqual([])
    expect((await find('startIndex=0&count=-1')).json).toMatchObject({ startIndex: 1, itemsPerPage: 0 })
    expect((await find(`${filter('userName eq "list-a"')}&attributes=userName`)).json.Resources?.[0]).toEqual({
      ...{ schemas: expect.anything(), id: expect.anything(), userName: 'list-a' },
    })
    const { json } = await ask(api, 'GET', '/Users', undefined, OTHER_TOKEN)
    expect(json.totalResults).toBe(0)
  })

  // What Entra ID and Okta send, according to their documentation.
  const changes: readonly (readonly [string, object, object])[] = [
    ['Entra ID deactivates', patch({ op: 'Replace', path: 'active', value: 'False' }), { active: false }],
    [
      'Entra ID deactivates, by the standard',
      patch({ op: 'replace', path: 'active', value: false }),
      { active: false },
    ],
    ['Okta deactivates', patch({ op: 'replace', value: { active: false } }), { active: false }],
    [
      'Entra ID changes several attributes',
      patch(
        { op: 'Add', path: 'name.givenName', value: 'New' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.com' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'X' },
      ),
      { name: { givenName: 'New', familyName: 'Old' }, emails: [{ value: 'new@example.com' }] },
    ],
    [
      'Entra ID sends paths as keys',
      patch({ op: 'Replace', value: { 'name.familyName': 'Other', displayName: 'ignored' } }),
      { name: { givenName: 'First', familyName: 'Other' } },
    ],
    [
      'a name is an object',
      patch({ op: 'replace', path: 'name', value: { familyName: 'Whole' } }),
      { name: { familyName: 'Whole' } },
    ],
    [
      'an attribute is removed',
      patch({ op: 'Remove', path: 'name.givenName' }),
      { name: { givenName: '', familyName: 'Old' } },
    ],
    ['the addresses are removed', patch({ op: 'remove', path: 'emails' }), { emails: [] }],
    [
      'the provider changes its own id',
      patch({ op: 'replace', path: 'externalId', value: 'other-id' }),
      { externalId: 'other-id' },
    ],
    [
      'a path names the schema',
      patch({ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: true }),
      { active: true },
    ],
  ]
  it.each(changes)('a PATCH by which %s', async (name, body, expected) => {
    const more = {
      name: { givenName: 'First', familyName: 'Old' },
      emails: [{ value: 'old@example.com', primary: true }],
    }
    const id = await provision(`patch-${name.replaceAll(/\W+/g, '-')}`, { ...more, externalId: undefined })
    const { status, text, json } = await ask(api, 'PATCH', `/Users/${id}`, body)
    expect(status, text).toBe(200)
    expect(json).toMatchObject(expected)
    expect((await ask(api, 'GET', `/Users/${id}`)).json).toMatchObject(expected)
    await ask(api, 'DELETE', `/Users/${id}`)
  })

  it('replaces a user, and renames one', async () => {
    const id = await provision('replaced', { name: { givenName: 'A', familyName: 'B' } })
    const { status, json } = await ask(
      api,
      'PUT',
      `/Users/${id}`,
      userBody('replaced-too', { name: { familyName: 'C' } }),
    )
    expect([status, json]).toEqual([200, expect.objectContaining({ id, userName: 'replaced-too' })])
    expect(await localUser('replaced-too')).toMatchObject({ first_name: '', last_name: 'C' })
  })

  it('a deactivated person loses sessions and tokens at once, and may be activated again', async () => {
    const id = await provision('leaver')
    const user = Number((await localUser('leaver')).id)
    await api.ask('PATCH', `/api/users/users/${user}/`, { body: { password: PASSWORD } })
    const browser = new Browser(api.url)
    expect((await browser.logIn('leaver', PASSWORD)).status).toBe(303)
    const token = String((await api.ask('POST', '/api/users/tokens/', { body: { user } })).json.key)
    const works = async () => [
      (await browser.visit('/user/profile/')).status === 200,
      (await api.ask('GET', '/api/status/', { token })).status === 200,
    ]
    expect(await works()).toEqual([true, true])
    await ask(api, 'PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: false } }))
    expect(await works()).toEqual([false, false])
    expect((await browser.logIn('leaver', PASSWORD)).status).toBe(403)
    await ask(api, 'PATCH', `/Users/${id}`, patch({ op: 'replace', value: { active: true } }))
    expect((await browser.logIn('leaver', PASSWORD)).status).toBe(303)
    expect(await works()).toEqual([true, true])
    expect((await ask(api, 'DELETE', `/Users/${id}`)).status).toBe(204)
    expect(await works()).toEqual([false, false])
    expect((await ask(api, 'GET', `/Users/${id}`)).status).toBe(404)
    expect((await localUser('leaver')).is_active).toBe(false)
    // The name alone does not restore a user that the service no longer associates with the provider.
    const again = await ask(api, 'POST', '/Users', userBody('leaver'))
    expect([again.status, again.json.scimType]).toEqual([409, 'uniqueness'])
  })

  it('groups give what the mapping says, as long as they exist', async () => {
    const [anna, bert] = [await provision('anna'), await provision('bert')]
    const bertId = Number((await localUser('bert')).id)
    const local = (await api.ask('GET', '/api/users/groups/?name=local')).json.results?.[0]?.id
    await api.ask('PATCH', `/api/users/users/${bertId}/`, { body: { groups: [local] } })
    const group = await makeGroup('Net Ops', [anna])
    expect(await groupsOf('anna')).toEqual(['operators'])
    expect((await ask(api, 'GET', `/Users/${anna}`)).json.groups).toEqual([{ value: group, display: 'Net Ops' }])
    const shown = (await ask(api, 'GET', `/Groups/${group}`)).json
    expect(shown).toMatchObject({ displayName: 'Net Ops', members: [{ value: anna, display: 'anna' }] })
    expect(new SCIMMY.Schemas.Group(JSON.parse(JSON.stringify(shown)), 'out')).toMatchObject({ displayName: 'Net Ops' })
    // As Entra ID adds and removes members.
    await ask(api, 'PATCH', `/Groups/${group}`, patch({ op: 'Add', path: 'members', value: [{ value: bert }] }))
    expect(await groupsOf('bert')).toEqual(['local', 'operators'])
    await ask(api, 'PATCH', `/Groups/${group}`, patch({ op: 'Remove', path: 'members', value: [{ value: anna }] }))
    expect(await groupsOf('anna')).toEqual([])
    await ask(api, 'PATCH', `/Groups/${group}`, patch({ op: 'remove', path: `members[value eq "${bert}"]` }))
    expect(await groupsOf('bert')).toEqual(['local'])
    // As Okta does.
    await ask(
      api,
      'PATCH',
      `/Groups/${group}`,
      patch({ op: 'replace', path: 'members', value: [{ value: anna }, { value: bert }] }),
    )
    expect([await groupsOf('anna'), await groupsOf('bert')]).toEqual([['operators'], ['local', 'operators']])
    await ask(api, 'PATCH', `/Groups/${group}`, patch({ op: 'replace', value: { id: group, displayName: 'Other' } }))
    expect([await groupsOf('anna'), await groupsOf('bert')]).toEqual([[], ['local']])
    const members = [{ value: bert }]
    await ask(api, 'PUT', `/Groups/${group}`, { displayName: 'Net Ops', members })
    expect([await groupsOf('anna'), await groupsOf('bert')]).toEqual([[], ['local', 'operators']])
    await ask(api, 'PATCH', `/Groups/${group}`, patch({ op: 'remove', path: 'members' }))
    expect(await groupsOf('bert')).toEqual(['local'])
    await ask(api, 'PATCH', `/Groups/${group}`, patch({ op: 'add', value: { members } }))
    expect((await ask(api, 'DELETE', `/Groups/${group}`)).status).toBe(204)
    expect(await groupsOf('bert')).toEqual(['local'])
    expect((await ask(api, 'GET', `/Groups/${group}`)).status).toBe(404)
  })

  it('without a mapping a group is the local one of the same name, and other local groups are kept', async () => {
    const { json } = await ask(api, 'POST', '/Users', userBody('olaf'), OTHER_TOKEN)
    const user = Number((await localUser('olaf')).id)
    const local = (await api.ask('GET', '/api/users/groups/?name=local')).json.results?.[0]?.id
    await api.ask('PATCH', `/api/users/users/${user}/`, { body: { groups: [local] } })
    const group = await makeGroup('readers', [String(json.id)], OTHER_TOKEN)
    expect(await groupsOf('olaf')).toEqual(['local', 'readers'])
    await ask(api, 'PATCH', `/Groups/${group}`, patch({ op: 'remove', path: 'members' }), OTHER_TOKEN)
    expect(await groupsOf('olaf')).toEqual(['local'])
    expect((await ask(api, 'GET', `/Groups/${group}`)).status).toBe(404)
  })

  it('finds groups by filters', async () => {
    const member = await provision('finder')
    const id = await makeGroup('Found', [member])
    await ask(api, 'PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'externalId', value: 'g-1' }))
    for (const [filter, count] of [
      ['displayName eq "Found"', 1],
      ['externalId eq "g-1"', 1],
      [`id eq "${id}" and members eq "${member}"`, 1],
      [`id eq "${id}" and members.value eq "nobody"`, 0],
    ] as const) {
      const query = `filter=${encodeURIComponent(filter)}&excludedAttributes=members`
      const { json } = await ask(api, 'GET', `/Groups?${query}`)
      expect([json.totalResults, json.Resources?.[0]?.members]).toEqual([count, undefined])
    }
  })

  it('makes superusers only through a mapping', async () => {
    const id = await provision('chief', { roles: [{ value: 'superuser' }], is_superuser: true })
    expect(await isSuperuser('chief')).toBe(false)
    const group = await makeGroup('Net Admins', [id])
    expect(await isSuperuser('chief')).toBe(true)
    // It may change one of its own superusers.
    const renamed = await ask(
      api,
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'replace', path: 'name.givenName', value: 'C' }),
    )
    expect(renamed.status).toBe(200)
    await ask(api, 'DELETE', `/Groups/${group}`)
    expect(await isSuperuser('chief')).toBe(false)
  })

  it('does not adopt superusers, and changes them only to end their access', async () => {
    const taken = await ask(api, 'POST', '/Users', userBody('ADMIN'))
    expect([taken.status, taken.json.scimType]).toEqual([409, 'uniqueness'])
    const { json } = await ask(api, 'POST', '/Users', userBody('promoted'), OTHER_TOKEN)
    const user = Number((await localUser('promoted')).id)
    await api.service.database.execute(
      sql`${updateTable('users.user')} set is_superuser = true where id = ${user}::bigint`,
    )
    const path = `/Users/${json.id}`
    for (const body of [
      patch({ op: 'replace', path: 'userName', value: 'mallory' }),
      patch({ op: 'replace', value: { emails: [{ value: 'mallory@example.com' }], active: false } }),
    ]) {
      expect((await ask(api, 'PATCH', path, body, OTHER_TOKEN)).status).toBe(403)
    }
    expect((await localUser('promoted')).is_active).toBe(true)
    expect(
      (await ask(api, 'PATCH', path, patch({ op: 'replace', path: 'active', value: false }), OTHER_TOKEN)).status,
    ).toBe(200)
    expect(
      (await ask(api, 'PATCH', path, patch({ op: 'replace', path: 'active', value: true }), OTHER_TOKEN)).status,
    ).toBe(403)
  })

  it('adopts a local user of the same name, and people managed through SCIM sign in elsewhere', async () => {
    const existing = await api.make('users/users', { username: 'local-user', password: PASSWORD })
    await provision('local-user')
    expect(Number((await localUser('local-user')).id)).toBe(existing)
    const again = await ask(api, 'POST', '/Users', userBody('local-user'))
    expect(again.status).toBe(409)
    const other = await ask(api, 'POST', '/Users', userBody('local-user'), OTHER_TOKEN)
    expect(other.status).toBe(409)
    const browser = new Browser(api.url)
    expect((await browser.visit('/login/', { headers: { 'x-user': 'local-user' } })).status).toBe(303)
    // The name is not enough to take over somebody who already signs in elsewhere.
    await new Browser(api.url).visit('/login/', { headers: { 'x-user': 'header-user' } })
    expect((await ask(api, 'POST', '/Users', userBody('header-user'))).status).toBe(409)
  })

  it('a user who is deleted locally no longer exists for the provider', async () => {
    const id = await provision('deleted')
    const group = await makeGroup('With deleted', [id])
    const user = Number((await localUser('deleted')).id)
    expect((await api.ask('DELETE', `/api/users/users/${user}/`)).status).toBe(204)
    expect((await ask(api, 'GET', `/Users/${id}`)).status).toBe(404)
    expect((await ask(api, 'GET', `/Groups/${group}`)).json.members).toEqual([])
  })
})

describe('SCIM refuses', () => {
  let api: Api
  let user: string
  let group: string
  const log = new LogLines()
  beforeAll(async () => {
    api = await start(log)
    user = String((await ask(api, 'POST', '/Users', userBody('first'))).json.id)
    await ask(api, 'POST', '/Users', userBody('second'))
    group = String((await ask(api, 'POST', '/Groups', { displayName: 'G' })).json.id)
    await ask(api, 'POST', '/Groups', { displayName: 'H' })
  })
  afterAll(() => api.close())

  const tokens: readonly (readonly [string, string | null])[] = [
    ['no token', null],
    ['another token', 'f'.repeat(64)],
    ['the digest of the token', hash('sha256', TOKEN)],
    ['an API token of a superuser', '0123456789abcdef0123456789abcdef01234567'],
  ]
  it.each(tokens)('%s', async (_name, token) => {
    for (const [method, path] of [
      ['GET', '/Users'],
      ['POST', '/Users'],
      ['GET', '/ServiceProviderConfig'],
      ['GET', '/nothing'],
    ] as const) {
      const answer = await ask(api, method, path, method === 'POST' ? userBody('x') : undefined, token)
      expect([answer.status, answer.json.schemas]).toEqual([401, [ERROR]])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect(log.audited.at(-1)).toMatchObject({ event: 'tokenRefused' })
    if (token !== null) expect(JSON.stringify(log.audited)).not.toContain(token)
  })

  it('to let its token do anything else', async () => {
    for (const path of ['/api/users/users/', '/api/dcim/sites/', '/graphql/']) {
      const { status } = await api.ask('GET', path, { token: null, headers: { authorization: `Bearer ${TOKEN}` } })
      expect(status, path).toBe(403)
    }
  })

  type Refused = readonly [
    name: string,
    method: string,
    path: () => string,
    body: unknown,
    status: number,
    scimType?: string,
  ]
  const filter = (text: string) => () => `/Users?filter=${encodeURIComponent(text)}`
  const users = () => '/Users'
  const first = () => `/Users/${user}`
  const aGroup = () => `/Groups/${group}`
  const refused: readonly Refused[] = [
    ['an unknown resource type', 'GET', () => '/Devices', undefined, 404],
    ['a path with excess text', 'GET', () => '/Users/1/2', undefined, 404],
    ['a user that does not exist', 'GET', () => '/Users/none', undefined, 404],
    ['an id with NUL', 'GET', () => '/Users/%00', undefined, 404],
    ['an id with other characters', 'GET', () => '/Users/%27', undefined, 404],
    ['a group that does not exist', 'DELETE', () => '/Groups/4711', undefined, 404],
    ['a method that a list does not have', 'DELETE', users, undefined, 405],
    ['a method that a document does not have', 'PUT', () => '/Schemas', {}, 405],
    ['POST to a user', 'POST', first, userBody('x'), 405],
    ['another operator', 'GET', filter('userName co "a"'), undefined, 400, 'invalidFilter'],
    ['an unknown attribute', 'GET', filter('title eq "a"'), undefined, 400, 'invalidFilter'],
    ['a filter with or', 'GET', filter('userName eq "a" or userName eq "b"'), undefined, 400, 'invalidFilter'],
    ['half a filter', 'GET', filter('userName eq "a'), undefined, 400, 'invalidFilter'],
    ['a filter that ends with and', 'GET', filter('userName eq "a" and '), undefined, 400, 'invalidFilter'],
    ['a filter with NUL', 'GET', filter('userName eq "\\u0000"'), undefined, 400, 'invalidFilter'],
    ['a start that is not a number', 'GET', () => '/Users?startIndex=x', undefined, 400, 'invalidValue'],
    ['no JSON', 'POST', users, '{', 400],
    ['no body', 'POST', users, undefined, 400],
    ['a list', 'POST', users, [userBody('x')], 400, 'invalidSyntax'],
    ['no userName', 'POST', users, { active: true }, 400, 'invalidValue'],
    ['an invalid userName', 'POST', users, userBody('no such name!'), 400],
    ['a userName with NUL', 'POST', users, userBody('a\0b'), 400, 'invalidValue'],
    ['a userName that is too long', 'POST', users, userBody('a'.repeat(151)), 400],
    ['a userName that is a number', 'POST', users, { userName: 5 }, 400, 'invalidValue'],
    ['active that is not a boolean', 'POST', users, userBody('x', { active: 'perhaps' }), 400, 'invalidValue'],
    ['emails that are texts', 'POST', users, userBody('x', { emails: ['a@example.com'] }), 400, 'invalidValue'],
    ['a name that is a text', 'POST', users, userBody('x', { name: 'X' }), 400, 'invalidValue'],
    ['a userName that is taken', 'POST', users, userBody('FIRST'), 409, 'uniqueness'],
    ['an externalId that is taken', 'POST', users, userBody('x', { externalId: 'ext-first' }), 409, 'uniqueness'],
    [
      'to rename to a taken name',
      'PATCH',
      first,
      patch({ op: 'replace', path: 'userName', value: 'Second' }),
      409,
      'uniqueness',
    ],
    ['an invalid address', 'PATCH', first, patch({ op: 'replace', path: 'emails', value: [{ value: 'x' }] }), 400],
    ['a PATCH without operations', 'PATCH', first, { schemas: [PATCH_OP] }, 400, 'invalidSyntax'],
    ['an unknown operation', 'PATCH', first, patch({ op: 'move', path: 'active' }), 400, 'invalidSyntax'],
    ['a path that is not a text', 'PATCH', first, patch({ op: 'replace', path: 5 }), 400, 'invalidPath'],
    ['operations that are texts', 'PATCH', first, { Operations: ['x'] }, 400, 'invalidSyntax'],
    ['to remove without a path', 'PATCH', first, patch({ op: 'remove' }), 400, 'invalidPath'],
    ['to remove active', 'PATCH', first, patch({ op: 'remove', path: 'active' }), 400, 'mutability'],
    ['to remove the name', 'PATCH', first, patch({ op: 'remove', path: 'userName' }), 400, 'invalidValue'],
    ['an invalid value', 'PATCH', first, patch({ op: 'replace', value: 'x' }), 400, 'invalidSyntax'],
    ['a whole user without a name', 'PUT', first, { active: true }, 400, 'invalidValue'],
    ['a group without a name', 'POST', () => '/Groups', {}, 400, 'invalidValue'],
    ['a group whose name is too long', 'POST', () => '/Groups', { displayName: 'a'.repeat(256) }, 400, 'invalidValue'],
    ['a group whose name is taken', 'POST', () => '/Groups', { displayName: 'G' }, 409, 'uniqueness'],
    [
      'to rename a group to a taken name',
      'PATCH',
      aGroup,
      patch({ op: 'replace', path: 'displayName', value: 'H' }),
      409,
      'uniqueness',
    ],
    [
      'a member that is not a user',
      'PATCH',
      aGroup,
      patch({ op: 'add', path: 'members', value: [{ value: 'x' }] }),
      400,
      'invalidValue',
    ],
    [
      'a member that is a text',
      'PATCH',
      aGroup,
      patch({ op: 'add', path: 'members', value: [{ value: 5 }] }),
      400,
      'invalidValue',
    ],
    [
      'another path of members',
      'PATCH',
      aGroup,
      patch({ op: 'remove', path: 'members[display eq "x"]' }),
      400,
      'invalidPath',
    ],
  ]
  it.each(
    refused.map(([name, method, path, body, status, scimType]) => ({ name, method, path, body, status, scimType })),
  )('$name', async ({ method, path, body, status, scimType }) => {
    const answer = await ask(api, method, path(), body)
    expect([answer.status, answer.json]).toEqual([
      status,
      expect.objectContaining({ schemas: [ERROR], status: String(status), detail: expect.any(String) }),
    ])
    if (scimType !== undefined) expect(answer.json.scimType).toBe(scimType)
    expect((await ask(api, 'GET', '/Users')).json.totalResults).toBe(2)
    expect((await ask(api, 'GET', '/Users?filter=userName%20eq%20%22first%22')).json.Resources).toMatchObject([
      { userName: 'first', externalId: 'ext-first', active: true },
    ])
  })

  it('another media type', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'text/xml' }
    const { status, json } = await api.ask('POST', '/scim/v2/Users', { token: null, body: '<x/>', headers })
    expect([status, json.schemas]).toEqual([415, [ERROR]])
  })
})
