import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, apiOfTest, type Document, startApi } from '../support/api.ts'

const device = (name: string, fields: object = {}) => ({
  ...{ name, site: { slug: 'ams' }, role: { slug: 'router' }, device_type: { slug: 'mx' } },
  ...fields,
})
const placed = { rack: { name: 'R1' }, position: 10, face: 'front', asset_tag: 'A1' }

const TYPES = {
  'dcim.site': [
    { name: 'Amsterdam', slug: 'ams' },
    { name: 'Rotterdam', slug: 'rtm' },
  ],
  'extras.tag': [{ name: 'core', slug: 'core' }],
  'dcim.manufacturer': [{ name: 'J', slug: 'j' }],
  'dcim.devicetype': [{ model: 'MX', slug: 'mx', manufacturer: { slug: 'j' } }],
  'dcim.devicerole': [{ name: 'Router', slug: 'router' }],
  'dcim.rack': [{ name: 'R1', site: { slug: 'ams' } }],
}

/** Two devices of a site, one of another, a VLAN with a prefix, and parts of the devices. */
const BEFORE = {
  ...TYPES,
  'dcim.device': [
    device('r1'),
    device('r2', { ...placed, tags: [{ slug: 'core' }] }),
    device('far', { site: { slug: 'rtm' } }),
  ],
  'dcim.interface': ['r1', 'r2', 'far'].map((name) => ({
    ...{ device: { name }, name: 'e1', type: '1000base-t' },
  })),
  'dcim.location': [
    { name: 'Hall', slug: 'hall', site: { slug: 'ams' } },
    { name: 'Cage', slug: 'cage', site: { slug: 'ams' }, parent: { slug: 'hall' } },
  ],
  'ipam.vlan': [{ vid: 7, name: 'Users', site: { slug: 'ams' } }],
  'ipam.prefix': [{ prefix: '10.0.0.0/24', scope_type: 'dcim.site', scope_id: { slug: 'ams' }, vlan: { vid: 7 } }],
}

const apply = (api: Api, document: object, query = ''): Promise<ApiAnswer> =>
  api.ask('POST', `/api/apply/${query}`, { body: document })

const namesOf = async (api: Api, path: string): Promise<readonly unknown[]> =>
  ((await api.ask('GET', `/api/${path}/?ordering=id`)).json.results ?? []).map(({ display }: Document) => display)

async function filled(api: Api): Promise<void> {
  const { status, text } = await apply(api, { objects: BEFORE })
  expect(status, text).toBe(200)
}

describe('prune', () => {
  it('deletes the objects of a site that the document lacks, with their components, and shows this in advance', async () => {
    const api = await apiOfTest()
    await filled(api)
    const document = { prune: { site: 'ams' }, objects: { 'dcim.device': [device('r1')] } }
    const tried = await apply(api, document, '?dry_run=true')
    expect(tried.json.result, tried.text).toMatchObject({ deleted: 1, unchanged: 1 })
    const going = (tried.json.deleted ?? []).map(({ object_type, display }: Document) => [object_type, display])
    expect(going).toEqual(
      expect.arrayContaining([
        ['dcim.device', 'r2 (A1)'],
        ['dcim.interface', 'e1'],
      ]),
    )
    expect(await namesOf(api, 'dcim/devices')).toHaveLength(3)

    const done = await apply(api, document)
    expect(done.json, done.text).toMatchObject({ created: 0, updated: 0, unchanged: 1, deleted: 1 })
    expect(await namesOf(api, 'dcim/devices')).toEqual(['r1', 'far'])
    expect(await namesOf(api, 'dcim/interfaces')).toHaveLength(2)
    expect(await namesOf(api, 'ipam/vlans')).toEqual(['Users (7)'])
    expect((await apply(api, document)).json).toMatchObject({ unchanged: 1, deleted: 0 })
  })

  it('frees the place of an object for another one, and follows references between deleted objects', async () => {
    const api = await apiOfTest()
    await filled(api)
    const { status, text, json } = await apply(api, {
      prune: { site: 'ams' },
      objects: {
        ...TYPES,
        'dcim.device': [device('r1'), device('new', placed)],
        'dcim.interface': ['r1', 'new'].map((name) => ({
          ...{ device: { name }, name: 'e1', type: '1000base-t' },
        })),
        'ipam.vlan': [],
        'ipam.prefix': [],
      },
    })
    expect(status, text).toBe(200)
    expect(json).toMatchObject({ created: 2, updated: 0, deleted: 3 })
    expect(await namesOf(api, 'dcim/devices')).toEqual(['r1', 'far', 'new (A1)'])
    expect(await namesOf(api, 'ipam/vlans')).toEqual([])
  })

  it('keeps objects that the document moves away from deleted ones', async () => {
    const api = await apiOfTest()
    await filled(api)
    const [, second] = (await api.ask('GET', '/api/dcim/devices/?ordering=id')).json.results ?? []
    const { status, text } = await apply(api, {
      prune: { site: 'ams' },
      objects: {
        'dcim.rack': [{ name: 'R2', site: { slug: 'ams' } }],
        'dcim.device': [device('r1'), device('r2', { ...placed, rack: { name: 'R2' } })],
      },
    })
    expect(status, text).toBe(200)
    expect(await namesOf(api, 'dcim/racks')).toEqual(['R2'])
    const { json } = await api.ask('GET', `/api/dcim/devices/${second?.id}/`)
    expect(json.rack?.name).toBe('R2')
  })
})

describe('the scope of prune', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    await filled(api)
  })
  afterAll(() => api.close())

  const SCOPES = [
    { prune: 'tag=core', deleted: ['r2 (A1)'] },
    { prune: { tag: 'core', site: 'ams' }, deleted: ['r2 (A1)'] },
    { prune: { tag: 'core', site: 'rtm' }, deleted: [] },
    { prune: { site: ['ams', 'rtm'] }, deleted: ['far', 'r1', 'r2 (A1)'] },
  ]
  it.each(SCOPES)('within $prune deletes $deleted where a list is empty', async (each) => {
    const { prune, deleted } = each
    const document = { prune, objects: { 'dcim.device': [] } }
    const { status, text, json } = await apply(api, document, '?dry_run=true')
    expect(status, text).toBe(200)
    const devices = (json.deleted ?? []).filter(({ object_type }: Document) => String(object_type) === 'dcim.device')
    expect(devices.map(({ display }: Document) => display).toSorted()).toEqual(deleted)
  })

  const REFUSED = [
    { name: 'no scope', prune: true, status: 400, says: 'scope' },
    { name: 'an empty scope', prune: {}, status: 400, says: 'scope' },
    { name: 'an empty text', prune: '', status: 400, says: 'scope' },
    { name: 'a filter without a value', prune: { site: '' }, status: 400, says: 'scope' },
    { name: 'a filter of no type', prune: { colour: 'red' }, status: 400, says: 'colour' },
    {
      name: 'a value that limits nothing',
      prune: 'virtual_chassis_member=x',
      status: 400,
      says: 'limit',
    },
    { name: 'an unknown site', prune: { site: 'nowhere' }, status: 400, says: 'nowhere' },
    {
      name: 'an object that others need',
      prune: { site: 'ams' },
      objects: { 'ipam.vlan': [] },
      status: 409,
      says: '10.0.0.0/24',
    },
    {
      name: 'an object on which one of the document depends',
      prune: { site: 'ams' },
      objects: {
        'dcim.device': [device('r1')],
        'dcim.interface': [{ device: { name: 'r2' }, name: 'e1' }],
      },
      status: 400,
      says: 'r2',
    },
    {
      name: 'an object of which one of the document is a part',
      prune: { site: 'ams' },
      objects: {
        'dcim.location': [{ name: 'Cage', slug: 'cage', site: { slug: 'ams' }, parent: { slug: 'hall' } }],
      },
      status: 409,
      says: 'which would be deleted together with objects that it does not list: dcim.location Hall',
    },
  ]
  it.each(REFUSED)('refuses $name', async ({ prune, objects, status, says }) => {
    const answer = await apply(api, { prune, objects: objects ?? { 'dcim.device': [] } })
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(says)])
    expect(await namesOf(api, 'dcim/devices')).toHaveLength(3)
  })
})

describe('prune with restricted permissions', () => {
  it.each([
    { may: ['view', 'add', 'change'], constraints: {}, status: 403, leaves: 3 },
    { may: ['view', 'add', 'change', 'delete'], constraints: {}, status: 200, leaves: 2 },
    // For this user, other devices do not exist.
    { may: ['view', 'change', 'delete'], constraints: { name: 'r1' }, status: 200, leaves: 3 },
  ])('of $may on $constraints gets $status', async ({ may, constraints, status, leaves }) => {
    const token = 'fedcba9876543210fedcba9876543210fedcba98'
    const api = await apiOfTest()
    await filled(api)
    const create = (path: string, body: object) => api.ask('POST', `/api/${path}/`, { body })
    const user = await create('users/users', { username: 'ann', password: 'Long-enough-1' })
    await create('users/tokens', { user: user.json.id, key: token, version: 1, token })
    const permission = { name: 'devices', users: [user.json.id], actions: may }
    await create('users/permissions', { ...permission, object_types: ['dcim.device'], constraints })
    await create('users/permissions', {
      ...{ name: 'others', users: [user.json.id], actions: ['view'] },
      object_types: ['dcim.site', 'dcim.devicerole', 'dcim.devicetype'],
    })
    const answer = await api.ask('POST', '/api/apply/', {
      body: {
        prune: { site: 'ams' },
        objects: { 'dcim.device': [{ name: 'r1', site: { slug: 'ams' } }] },
      },
      token,
    })
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    expect(await namesOf(api, 'dcim/devices')).toHaveLength(leaves)
  })
})
