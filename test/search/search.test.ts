import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildSearchIndex } from '../../src/read/search/build-index.ts'
import { compareSearchIndex } from '../../src/read/search/compare-index.ts'
import { completeSearchIndex } from '../../src/read/search/complete-index.ts'
import { sql } from '../../src/sql/fragment.ts'
import { deleteFrom, insertInto, table } from '../../src/sql/table.ts'
import { type Api, startApi } from '../support/api.ts'

describe('the search', () => {
  let api: Api
  const ids: Record<string, number> = {}

  const create = async (path: string, body: unknown): Promise<number> => {
    const { status, json, text } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return Number(json.id)
  }

  beforeAll(async () => {
    api = await startApi()
    const named = (name: string) => ({ name, slug: name.toLowerCase() })
    ids.site = await create('dcim/sites', { ...named('Amsterdam'), description: 'Häuserstraße 5' })
    ids.maker = await create('dcim/manufacturers', named('Acme'))
    ids.type = await create('dcim/device-types', {
      manufacturer: ids.maker,
      model: 'Box 9000',
      slug: 'box',
    })
    ids.role = await create('dcim/device-roles', named('Core'))
    const device = { device_type: ids.type, role: ids.role, site: ids.site }
    ids.device = await create('dcim/devices', {
      ...device,
      name: 'ams-sw-01',
      serial: 'SN100%_x',
      comments: 'stands beside ams-sw-02',
    })
    ids.other = await create('dcim/devices', { ...device, name: 'ams-sw-02' })
    ids.port = await create('dcim/interfaces', {
      device: ids.device,
      name: 'xe-0/0/1',
      type: 'virtual',
    })
    await create('dcim/mac-addresses', {
      mac_address: '00:1B:44:11:3A:B7',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: ids.port,
    })
    ids.address = await create('ipam/ip-addresses', {
      address: '10.1.2.3/24',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: ids.port,
    })
    await create('ipam/prefixes', { prefix: '10.1.0.0/16' })
    await create('ipam/prefixes', { prefix: '10.2.0.0/16' })
    await create('ipam/ip-ranges', { start_address: '10.1.2.1/24', end_address: '10.1.2.9/24' })
    const rir = await create('ipam/rirs', named('Private'))
    await create('ipam/aggregates', { prefix: '10.0.0.0/8', rir })
    await create('ipam/ip-addresses', { address: '2001:db8::a/64' })
  })
  afterAll(() => api.close())

  const search = async (query: string, token?: string) =>
    (await api.ask('GET', `/api/search/?${query}`, token === undefined ? {} : { token })).json
  /** `type display` of the results, in order. */
  const found = async (query: string, token?: string): Promise<string[]> =>
    ((await search(query, token)).results ?? []).map(({ object_type: type, object }) => `${type} ${object?.display}`)
  /** Nothing in the index differs from the objects. */
  const isTrue = async () => {
    const { database, registry } = api.service
    await completeSearchIndex(database, registry)
    expect(await compareSearchIndex(database, registry)).toEqual(new Map())
  }

  it.each([
    ['q=AMSTER', ['dcim.site Amsterdam']],
    ['q=ams-sw-0&obj_types=dcim.device', ['dcim.device ams-sw-01', 'dcim.device ams-sw-02']],
    // Its comments weigh less than a name.
    ['q=ams-sw-02', ['dcim.device ams-sw-02', 'dcim.device ams-sw-01']],
    ['q=ams-sw-02&lookup=iexact', ['dcim.device ams-sw-02']],
    ['q=ams-sw&lookup=istartswith', ['dcim.device ams-sw-01', 'dcim.device ams-sw-02']],
    ['q=9000&lookup=iendswith', ['dcim.devicetype Box 9000']],
    ['q=^AMS-sw-0[13]$&lookup=iregex', ['dcim.device ams-sw-01']],
    ['q=häuserSTRAßE', ['dcim.site Amsterdam']],
    ['q=100%25_x', ['dcim.device ams-sw-01']],
    ['q=100__x', []],
    ["q=';--", []],
    // Numbers have no beginning.
    ['q=10.1&lookup=istartswith', []],
  ])('finds with %s %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  const around = [
    'dcim.device ams-sw-01',
    'dcim.interface xe-0/0/1',
    'ipam.aggregate 10.0.0.0/8',
    'ipam.ipaddress 10.1.2.3/24',
    'ipam.iprange 10.1.2.1-9/24',
    'ipam.prefix 10.1.0.0/16',
  ]
  it.each([
    ['10.1.2.3', around],
    ['10.1.2.3/24', around.filter((name) => !name.includes('range'))],
    ['10.1.0.0/16', ['ipam.aggregate 10.0.0.0/8', 'ipam.prefix 10.1.0.0/16']],
    ['2001:0DB8:0:0::A', ['ipam.ipaddress 2001:db8::a/64']],
    ...['001b44113ab7', '00-1B-44-11-3a-b7', '001b.4411.3AB7', '00:1b:44:11:3a:b7'].map(
      (spelling): [string, string[]] => [
        spelling,
        ['dcim.device ams-sw-01', 'dcim.interface xe-0/0/1', 'dcim.macaddress 00:1B:44:11:3A:B7'],
      ],
    ),
    ['00-1b-44', ['dcim.macaddress 00:1B:44:11:3A:B7']],
    ['001b.44', ['dcim.macaddress 00:1B:44:11:3A:B7']],
  ])('understands %s', async (term, expected) => {
    expect((await found(`q=${encodeURIComponent(term)}`)).toSorted()).toEqual(expected)
  })

  it.each([
    ['sw-01 core', ['dcim.device ams-sw-01']],
    ['amsterdam sw-01', ['dcim.device ams-sw-01']],
    ['core amsterdam ams', ['dcim.device ams-sw-01', 'dcim.device ams-sw-02']],
    // The object that contains a port is not found with it.
    ['sw-01 xe-0/0', ['dcim.interface xe-0/0/1']],
    ['port 0/0/1', []],
    ['interface 0/0/1', ['dcim.interface xe-0/0/1']],
    ['site amsterdam', ['dcim.site Amsterdam']],
    // No word occurs in the object itself, or one word occurs nowhere.
    ['core paris', []],
    ['site', []],
    // A text that occurs as a whole is found as before.
    ['beside ams-sw-02', ['dcim.device ams-sw-01']],
  ])('combines the words %s', async (words, expected) => {
    expect((await found(`q=${encodeURIComponent(words)}`)).toSorted()).toEqual(expected)
  })

  it('counts the objects of each type, page by page', async () => {
    const page = await search('q=ams&limit=1')
    expect(page).toMatchObject({
      count: 3,
      is_complete: true,
      previous: null,
      groups: [
        { object_type: 'dcim.site', name: 'site', count: 1 },
        { object_type: 'dcim.device', name: 'devices', count: 2 },
      ].toSorted((one, other) => one.object_type.localeCompare(other.object_type)),
    })
    expect(page.results).toHaveLength(1)
    expect(page.next).toContain('offset=1')
  })

  it('shows the match together with details that identify the object', async () => {
    const [result] = (await search('q=xe-0/0/1')).results ?? []
    expect(result).toMatchObject({
      object_type: 'dcim.interface',
      field: 'name',
      value: 'xe-0/0/1',
      weight: 100,
      object: { id: ids.port, display: 'xe-0/0/1', device: { display: 'ams-sw-01' } },
    })
  })

  it.each([
    ['', { q: ['This field is required.'] }],
    ['q=%20', { q: ['This field is required.'] }],
    ['q=a%00', { q: ['Null characters are not allowed.'] }],
    [`q=${'a'.repeat(501)}`, { q: ['Ensure this field has no more than 500 characters.'] }],
    ['q=a(&lookup=iregex', { q: ['Enter a valid regular expression.'] }],
    ['q=(a)\\1&lookup=iregex', { q: ['A regular expression may not refer back to a group.'] }],
    ['q=a&lookup=fuzzy', { lookup: [expect.stringContaining('icontains')] }],
    ['q=a&obj_types=dcim.ship', { obj_types: ['No object type is named dcim.ship.'] }],
  ])('refuses %.40s', async (query, refusal) => {
    const answer = await api.ask('GET', `/api/search/?${query}`)
    expect([answer.status, answer.json]).toEqual([400, refusal])
  })

  it('follows changes and deletions, including deletions by cascade', async () => {
    const tenant = await create('tenancy/tenants', { name: 'Before', slug: 'tenant-x' })
    const path = `/api/tenancy/tenants/${tenant}/`
    expect(await found('q=before')).toEqual(['tenancy.tenant Before'])
    await api.ask('PATCH', path, { body: { name: 'After' } })
    expect([await found('q=before'), await found('q=after')]).toEqual([[], ['tenancy.tenant After']])
    await api.ask('DELETE', path)
    expect(await found('q=after')).toEqual([])

    const device = { device_type: ids.type, role: ids.role, site: ids.site }
    const doomed = await create('dcim/devices', { ...device, name: 'doomed' })
    await create('dcim/interfaces', { device: doomed, name: 'of-the-doomed', type: 'virtual' })
    expect(await found('q=doomed')).toHaveLength(2)
    await api.ask('DELETE', `/api/dcim/devices/${doomed}/`)
    expect(await found('q=doomed')).toEqual([])
    await isTrue()
  })

  it('background work indexes what no search has indexed yet', async () => {
    const { background, service } = api
    const waiting = () => service.database.queryArrays(sql`select id from ${table('core.unindexedchange')}`)
    const tenant = await create('tenancy/tenants', { name: 'Unasked', slug: 'unasked' })
    await api.ask('PATCH', `/api/tenancy/tenants/${tenant}/`, { body: { name: 'Still unasked' } })
    expect(await waiting()).toHaveLength(2)
    await background.runUntilIdle()
    expect(await waiting()).toEqual([])
    await isTrue()
    await api.ask('DELETE', `/api/tenancy/tenants/${tenant}/`)
  })

  it('finds the last of more objects than are indexed at once', async () => {
    const body = Array.from({ length: 2_300 }, (_, index) => ({
      name: `many-${index}`,
      slug: `many-${index}`,
    }))
    const { status, json } = await api.ask('POST', '/api/tenancy/tenants/', { body })
    expect(status).toBe(201)
    expect(await found('q=many-2299&lookup=iexact')).toEqual(['tenancy.tenant many-2299'])
    await isTrue()
    const made = json as unknown as readonly { readonly id: number }[]
    await api.ask('DELETE', '/api/tenancy/tenants/', { body: made.map(({ id }) => ({ id })) })
    expect(await found('q=many-')).toEqual([])
  })

  it('finds components created with their device, and a device by the name of its virtual chassis', async () => {
    const device_type = await create('dcim/device-types', {
      manufacturer: ids.maker,
      model: 'Fitted',
      slug: 'fitted',
    })
    await create('dcim/interface-templates', { device_type, name: 'fitted-port', type: 'virtual' })
    const fitted = await create('dcim/devices', {
      ...{ name: 'fit', device_type, role: ids.role, site: ids.site },
    })
    expect(await found('q=fitted-port&obj_types=dcim.interface')).toEqual(['dcim.interface fitted-port'])
    const chassis = await create('dcim/virtual-chassis', { name: 'pile' })
    await api.ask('PATCH', `/api/dcim/devices/${fitted}/`, {
      body: { virtual_chassis: chassis, vc_position: 1 },
    })
    await api.ask('PATCH', `/api/dcim/virtual-chassis/${chassis}/`, { body: { name: 'stack' } })
    expect(await found('q=pile')).toEqual([])
    expect(await found('q=stack')).toEqual(['dcim.virtualchassis stack', 'dcim.device fit'])
    await isTrue()
  })

  it('finds values of custom fields with a weight, as soon as the weight is set', async () => {
    const field = await create('extras/custom-fields', {
      name: 'building',
      type: 'text',
      object_types: ['dcim.site', 'tenancy.tenant'],
      search_weight: 0,
    })
    const path = `/api/extras/custom-fields/${field}/`
    await api.ask('PATCH', `/api/dcim/sites/${ids.site}/`, {
      body: { custom_fields: { building: 'Lighthouse' } },
    })
    expect(await found('q=lighthouse')).toEqual([])
    await api.ask('PATCH', path, { body: { search_weight: 300 } })
    expect((await search('q=lighthouse')).results?.[0]).toMatchObject({
      ...{ object_type: 'dcim.site', field: 'cf_building', weight: 300 },
    })
    await isTrue()
    await api.ask('PATCH', path, { body: { name: 'house' } })
    expect((await search('q=lighthouse')).results?.[0]?.field).toBe('cf_house')
    await api.ask('PATCH', `/api/dcim/sites/${ids.site}/`, {
      body: { custom_fields: { house: 'Barn' } },
    })
    expect([await found('q=lighthouse'), await found('q=barn')]).toEqual([[], ['dcim.site Amsterdam']])
    await isTrue()
    await api.ask('DELETE', path)
    expect(await found('q=barn')).toEqual([])
    await isTrue()
  })

  it('a refused bulk request does not change the index', async () => {
    const body = [
      { name: 'Unwritten', slug: 'unwritten' },
      { name: 'Acme', slug: 'acme' },
    ]
    expect((await api.ask('POST', '/api/dcim/manufacturers/', { body })).status).toBe(400)
    expect(await found('q=unwritten')).toEqual([])
  })

  it('shows and counts only what the user may view, and does not follow hidden addresses', async () => {
    const user = await create('users/users', { username: 'reader', password: 'A-long-password-1' })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user } })
    const token = String(json.key)
    expect(await search('q=ams', token)).toMatchObject({ count: 0, groups: [], results: [] })
    const permit = (name: string, types: readonly string[], constraints: unknown = null) =>
      create('users/permissions', {
        ...{ name, object_types: types, actions: ['view'], users: [user], constraints },
      })
    await permit('one device', ['dcim.device'], { name: 'ams-sw-02' })
    expect(await found('q=ams-sw', token)).toEqual(['dcim.device ams-sw-02'])
    expect(await search('q=ams-sw&limit=1', token)).toMatchObject({ count: 1, next: null })
    await permit('all devices and interfaces', ['dcim.device', 'dcim.interface'])
    // The role is hidden; the device's own words are not.
    expect(await found('q=sw-01 core', token)).toEqual([])
    expect(await found('q=sw-01 ams', token)).toEqual(['dcim.device ams-sw-01'])
    // The address itself is hidden, and so is the path from it to the device.
    expect(await found('q=10.1.2.3', token)).toEqual([])
    await permit('addresses', ['ipam.ipaddress'])
    expect(await found('q=10.1.2.3', token)).toHaveLength(3)
    expect((await api.ask('GET', '/api/search/?q=a', { token: null })).status).toBe(403)
  })

  it('values of types that are not searched any more are removed at the next start', async () => {
    const { database, registry } = api.service
    await database.execute(sql`${insertInto('core.searchindex')} (object_type, signature) values ('gone.thing', '')`)
    await database.execute(sql`
      ${insertInto('core.searchentry')} (object_type, object_id, field, kind, value, weight)
      values ('gone.thing', 1, 'name', 'text', 'gone with its plugin', 100)`)
    expect(await buildSearchIndex(database, registry)).toEqual([])
    expect(await search('q=gone with')).toMatchObject({ count: 0, results: [] })
  })

  it('a value that was removed by hand is reported', async () => {
    await api.service.database.execute(
      sql`${deleteFrom('core.searchentry')} where object_type = 'dcim.site' and field = 'slug'`,
    )
    expect(await compareSearchIndex(api.service.database, api.service.registry)).toEqual(new Map([['dcim.site', 1]]))
  })
})
