import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { readForm } from './read-form.ts'

let api: Api
let restricted: string
const sites = new Map<string, number>()

beforeAll(async () => {
  api = await startApi()
  const created = await create('/api/dcim/sites/', [
    { name: 'Akron', slug: 'akron', status: 'active', facility: 'F1', description: 'first' },
    { name: 'Boston', slug: 'boston', status: 'active', facility: 'F2' },
    { name: 'Camden', slug: 'camden', status: 'planned' },
    { name: 'Dallas', slug: 'dallas', status: 'retired' },
  ])
  for (const { id, name } of created.json) sites.set(String(name), Number(id))
  await create('/api/dcim/locations/', [
    { name: 'Hall', slug: 'hall', site: siteId('Dallas') },
    { name: 'Roof', slug: 'roof', site: siteId('Dallas') },
  ])
  await create('/api/extras/tags/', [
    { name: 'Old', slug: 'old' },
    { name: 'New', slug: 'new' },
  ])
  restricted = await restrictedUser()
})
afterAll(() => api.close())

const siteId = (name: string): number => sites.get(name) ?? 0

async function create(path: string, body: unknown): Promise<ApiAnswer> {
  const answer = await api.ask('POST', path, { body })
  expect(answer.status, answer.text).toBe(201)
  return answer
}

/** Key of a user who sees all sites and may change and delete those that are planned. */
async function restrictedUser(): Promise<string> {
  const user = await create('/api/users/users/', { username: 'pat', password: 'Long-enough-2026!' })
  const users = [Number(user.json.id)]
  const objectTypes = ['dcim.site']
  await create('/api/users/permissions/', [
    { name: 'see', object_types: objectTypes, actions: ['view'], users },
    {
      name: 'work',
      object_types: objectTypes,
      actions: ['change', 'delete'],
      users,
      constraints: { status: 'planned' },
    },
  ])
  const token = await create('/api/users/tokens/', { user: users[0], version: 1 })
  return String(token.json.token ?? token.json.key)
}

const RETURN = 'return_url'

type Fields = readonly (readonly [string, string])[]

function post(path: string, fields: Fields, token?: string): Promise<ApiAnswer> {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  const headers = { accept: 'text/html' }
  return api.ask('POST', path, { body, headers, ...(token !== undefined && { token }) })
}

const selected = (...names: readonly string[]): Fields => names.map((name) => ['id', String(siteId(name))] as const)

const site = async (name: string) => (await api.ask('GET', `/api/dcim/sites/${siteId(name)}/`)).json

describe('bulk edit', () => {
  it('shows a form with empty fields', async () => {
    const { status, text } = await post('/dcim/sites/edit/', selected('Akron', 'Boston'))
    expect(status, text).toBe(200)
    expect(text).toContain('Edit 2 sites')
    expect(text).toContain('<bdi>Boston</bdi>')
    expect(text).toContain('No change')
    expect(text).not.toContain('value="F1"')
  })

  it('looks like the form of one object, with a button that says what it does', async () => {
    await create('/api/extras/custom-fields/', { name: 'building', type: 'text', object_types: ['dcim.site'] })
    const { text } = await post('/dcim/sites/edit/', [...selected('Akron', 'Boston'), [RETURN, '/dcim/sites/']])
    expect(text).toContain('<form class="edit bulk" data-folds')
    expect(text).toMatch(/<button name="do" value="apply">Change 2 sites</)
    expect(text.indexOf('name="custom_fields.building"')).toBeGreaterThan(text.indexOf('<details class="more">'))
    expect(text).not.toMatch(/<details[^>]*selected/)
    expect(text).toContain('<h2>2 selected</h2>')
  })

  it('offers choices by what was entered, and keeps that', async () => {
    const hall = Number((await api.ask('GET', '/api/dcim/locations/?slug=hall')).json.results?.[0]?.id)
    const { status, text } = await post('/dcim/locations/edit/', [
      ...([
        ['id', String(hall)],
        ['site', String(siteId('Akron'))],
        ['facility', 'F7'],
        ['_refresh', 'site'],
      ] as const),
    ])
    expect(status).toBe(200)
    expect(readForm(text).values.get('facility')).toEqual(['F7'])
    expect([...(readForm(text).options.get('parent')?.values() ?? [])]).toEqual(['None available'])
  })

  it('changes only the fields that are filled in, and records the message', async () => {
    const old = (await api.ask('GET', '/api/extras/tags/?slug=old')).json.results?.[0]
    const { status, headers, text } = await post('/dcim/sites/edit/', [
      ...selected('Akron', 'Boston'),
      ['query', 'status=active'],
      ['status', 'staging'],
      ['facility', ''],
      ['add_tags', String(old?.id)],
      ['changelog_message', 'Moved to staging'],
      ['do', 'apply'],
    ])
    expect(status, text).toBe(303)
    const next = '/dcim/sites/?status=active&saved=changed-all'
    expect(headers.get('location')).toMatch(`${next}&saved_request=`)
    expect((await api.ask('GET', headers.get('location') ?? '', { headers: { accept: 'text/html' } })).text).toContain(
      'role="status"><span>2 sites changed. <a href="/core/changelog/',
    )
    const akron = await site('Akron')
    expect(akron).toMatchObject({ status: { value: 'staging' }, facility: 'F1' })
    expect(akron.tags?.[0]?.slug).toBe('old')
    const changes = await api.ask(
      'GET',
      `/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${siteId('Boston')}&action=update`,
    )
    expect(changes.json.results?.[0]?.message).toBe('Moved to staging')
  })

  it('adds objects to a relation and removes others, for each object from those that it has', async () => {
    const groups = ['East', 'West', 'North'].map((name) => ({ name, slug: name.toLowerCase() }))
    const ids = (await create('/api/tenancy/contact-groups/', groups)).json.map(({ id }) => Number(id))
    const contacts = await create('/api/tenancy/contacts/', [
      { name: 'Ann', groups: [ids[0]] },
      { name: 'Ben', groups: [ids[1]] },
    ])
    const { status, text } = await post('/tenancy/contacts/edit/', [
      ...contacts.json.map(({ id }) => ['id', String(id)] as const),
      ['add_groups', String(ids[2])],
      ['remove_groups', String(ids[0])],
      ['do', 'apply'],
    ])
    expect(status, text).toBe(303)
    const { json } = await api.ask('GET', '/api/tenancy/contacts/')
    expect(json.results?.map(({ groups: own = [] }) => own.map(({ name }) => String(name)))).toEqual([
      ['North'],
      ['North', 'West'],
    ])
  })

  it('changes the length of networks, each with its own address', async () => {
    const { json } = await create('/api/ipam/ip-addresses/', [{ address: '10.1.0.1/24' }, { address: '10.1.0.2/24' }])
    const addresses = json.map(({ id }) => ['id', String(id)] as const)
    const resize = (length: string) =>
      post('/ipam/ip-addresses/edit/', [...addresses, ['mask_length', length], ['do', 'apply']])
    expect((await resize('28')).status).toBe(303)
    const list = await api.ask('GET', '/api/ipam/ip-addresses/?parent=10.1.0.0/16')
    expect(list.json.results?.map(({ address }) => address)).toEqual(['10.1.0.1/28', '10.1.0.2/28'])
    const refused = await resize('33')
    expect([refused.status, refused.text.includes('<li><bdi>Address: ')]).toEqual([400, true])
  })

  it('clears fields on request', async () => {
    await post('/dcim/sites/edit/', [...selected('Akron'), ['_nullify', 'description'], ['do', 'apply']])
    expect((await site('Akron')).description).toBe('')
  })

  it('requires at least one change', async () => {
    const { status, text } = await post('/dcim/sites/edit/', [
      ...selected('Akron'),
      ['changelog_message', 'Nothing else'],
      ['do', 'apply'],
    ])
    expect(status).toBe(400)
    expect(text).toContain('Fill in the fields to change.')
  })

  it('names each object that is refused and changes none', async () => {
    const locations = (await api.ask('GET', '/api/dcim/locations/?site=dallas')).json.results
    const [hall, roof] = [Number(locations?.[0]?.id), Number(locations?.[1]?.id)]
    const { status, text } = await post('/dcim/locations/edit/', [
      ['id', String(hall)],
      ['id', String(roof)],
      ['parent', String(hall)],
      ['status', 'planned'],
      ['do', 'apply'],
    ])
    expect(status).toBe(400)
    expect(text).toContain('Nothing was changed.')
    expect(readForm(text).errors.get('parent')).toMatch(/^Hall: .*parent/i)
    const { json } = await api.ask('GET', `/api/dcim/locations/${roof}/`)
    expect(json).toMatchObject({ parent: null, status: { value: 'active' } })
  })

  it('applies to all objects that match the filter of the list', async () => {
    const { text } = await post('/dcim/sites/edit/', [
      ['scope', 'all'],
      ['query', 'name__ic=a&limit=1'],
    ])
    expect(text).toContain('Edit 3 sites')
  })

  it('leads back to the list if nothing is selected', async () => {
    expect((await post('/dcim/sites/edit/', [['query', 'q=x']])).headers.get('location')).toBe('/dcim/sites/?q=x')
    const opened = await api.ask('GET', '/dcim/sites/edit/', { headers: { accept: 'text/html' } })
    expect(opened.status).toBe(303)
  })

  it('accepts a thousand checked objects', async () => {
    const many: Fields = Array.from({ length: 1_000 }, (_each, id) => ['id', String(id + 1)])
    expect((await post('/dcim/sites/edit/', many)).text).toContain('Edit 4 sites')
  })
})

describe('bulk rename', () => {
  it('shows the new names before it changes them', async () => {
    const fields: Fields = [
      ...selected('Akron', 'Camden'),
      ['find', '^(.)a'],
      ['replace', '\\1A$'],
      ['use_regex', 'true'],
    ]
    const preview = await post('/dcim/sites/rename/', [...fields, ['do', 'preview']])
    expect(preview.text).toContain('1 of 2 names will change.')
    expect(preview.text).toContain('<td><bdi>CA$mden</bdi></td>')
    expect((await site('Camden')).name).toBe('Camden')
    const { status } = await post('/dcim/sites/rename/', [...fields, ['do', 'apply']])
    expect(status).toBe(303)
    expect((await site('Camden')).name).toBe('CA$mden')
    await post('/dcim/sites/rename/', [...selected('Camden'), ['find', 'A$'], ['replace', 'a'], ['do', 'apply']])
    expect((await site('Camden')).name).toBe('Camden')
  })

  it.each([
    ['(', 'true', 'This regular expression cannot be used'],
    ['(?=a)', 'true', 'This regular expression cannot be used'],
    ['', '', 'Enter what to find.'],
  ])('refuses to find %s', async (find, expression, sentence) => {
    const { status, text } = await post('/dcim/sites/rename/', [
      ...selected('Akron'),
      ['find', find],
      ['use_regex', expression],
      ['do', 'preview'],
    ])
    expect(status).toBe(400)
    expect(text).toContain(sentence)
  })

  it('changes no name if one would be a duplicate', async () => {
    const { status, text } = await post('/dcim/sites/rename/', [
      ...selected('Akron', 'Boston'),
      ['find', '.*'],
      ['replace', 'Same'],
      ['use_regex', 'true'],
      ['do', 'apply'],
    ])
    expect(status).toBe(400)
    expect(text).toContain('Nothing was changed.')
    expect((await site('Akron')).name).toBe('Akron')
  })
})

describe('a user who may not change everything', () => {
  it('changes only what is permitted, also by forged ids', async () => {
    const { text } = await post('/dcim/sites/edit/', selected('Akron', 'Camden'), restricted)
    expect(text).toContain('Edit 1 site')
    expect(text).toContain('1 selected object is left out')
    const { status } = await post(
      '/dcim/sites/edit/',
      [
        ['ids', '1-1000'],
        ['facility', 'forged'],
        ['do', 'apply'],
      ],
      restricted,
    )
    expect(status).toBe(303)
    expect((await site('Akron')).facility).toBe('F1')
    expect((await site('Camden')).facility).toBe('forged')
  })

  it('cannot make a change that takes an object out of the permission', async () => {
    const { status, text } = await post(
      '/dcim/sites/edit/',
      [...selected('Camden'), ['status', 'active'], ['do', 'apply']],
      restricted,
    )
    expect(status, text).toBe(403)
    expect((await site('Camden')).status?.value).toBe('planned')
  })

  it('renames and deletes only what is permitted', async () => {
    const { text } = await post('/dcim/sites/delete/', [['ids', '1-1000']], restricted)
    expect(text).toContain('Delete 1 site')
    await post(
      '/dcim/sites/rename/',
      [
        ['ids', '1-1000'],
        ['find', 'o'],
        ['replace', '0'],
        ['do', 'apply'],
      ],
      restricted,
    )
    expect((await site('Boston')).name).toBe('Boston')
  })

  it('is refused for models without a permission', async () => {
    expect((await post('/dcim/locations/edit/', [['ids', '1-9']], restricted)).status).toBe(403)
    expect((await post('/dcim/locations/delete/', [['ids', '1-9']], restricted)).status).toBe(403)
  })

  it('is offered no action on such lists', async () => {
    const headers = { accept: 'text/html' }
    const view = await create('/api/users/permissions/', {
      name: 'regions',
      object_types: ['dcim.region'],
      actions: ['view'],
      users: [Number((await api.ask('GET', '/api/users/users/?username=pat')).json.results?.[0]?.id)],
    })
    expect(view.status).toBe(201)
    await create('/api/dcim/regions/', { name: 'North', slug: 'north' })
    const { text } = await api.ask('GET', '/dcim/regions/', { headers, token: restricted })
    expect(text).toContain('>North<')
    expect(text).not.toContain('type="checkbox" name="id"')
    expect(text).not.toContain('formaction')
  })
})

describe('bulk delete', () => {
  it('shows what will be deleted too, and deletes it', async () => {
    const { text } = await post('/dcim/sites/delete/', selected('Dallas', 'Boston'))
    expect(text).toContain('2 sites will be deleted.')
    expect(text).toContain('<li>2 locations</li>')
    const { status } = await post('/dcim/sites/delete/', [
      ...selected('Dallas', 'Boston'),
      ['changelog_message', 'Closed'],
      ['do', 'apply'],
    ])
    expect(status).toBe(303)
    expect((await api.ask('GET', '/api/dcim/locations/')).json.count).toBe(0)
    expect((await api.ask('GET', '/api/dcim/sites/')).json.count).toBe(2)
  })

  it('shows what prevents the deletion of objects, and deletes none', async () => {
    await create('/api/dcim/manufacturers/', { name: 'Acme', slug: 'acme' })
    await create('/api/dcim/device-types/', {
      manufacturer: { slug: 'acme' },
      model: 'X',
      slug: 'x',
    })
    await create('/api/dcim/manufacturers/', { name: 'Other', slug: 'other' })
    for (const fields of [[], [['do', 'apply'] as const]]) {
      const { status, text } = await post('/dcim/manufacturers/delete/', [['ids', '1-100'], ...fields])
      expect(status).toBe(409)
      expect(text).toContain('Nothing was changed.')
      expect(text).toMatch(/<li><bdi>[^<]*device type[^<]*X/)
    }
    expect((await api.ask('GET', '/api/dcim/manufacturers/')).json.count).toBe(2)
  })
})

it.each([
  ['edit/', { description: 'Changed' }, '2 regions changed.', 2],
  ['rename/', { field_name: 'name', find: 'Count', replace: 'Number' }, '2 regions renamed.', undefined],
  ['delete/', {}, '2 regions deleted.', 2],
  ['delete/', {}, '1 region deleted.', 1],
])('a form for several objects, %s, reports their number afterwards', async (path, fields, message, count) => {
  const names = ['one', 'two'].slice(0, count)
  const ids: string[] = []
  for (const name of names) {
    const slug = `${path.slice(0, -1)}-${name}-${count}`
    const { json } = await api.ask('POST', '/api/dcim/regions/', {
      body: { name: `Count ${slug}`, slug },
    })
    ids.push(String(json.id))
  }
  const { headers, text } = await post(`/dcim/regions/${path}`, [
    ...ids.map((id) => ['id', id] as const),
    ...Object.entries<string>(fields),
    ['do', 'apply'],
  ])
  const next = headers.get('location') ?? ''
  expect(next, text).toContain('saved=')
  const page = await api.ask('GET', next, { headers: { accept: 'text/html' } })
  expect(page.text).toContain(`role="status"><span>${message} <a`)
})
