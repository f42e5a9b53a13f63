import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  const create = (path: string, body: unknown) => api.ask('POST', `/api/${path}/`, { body })
  await create('dcim/sites', { name: 'North <b>', slug: 'north', facility: 'NORTH-1' })
  await create('dcim/regions', { name: 'Northern', slug: 'northern' })
  const tenants = Array.from({ length: 60 }, (_, index) => ({
    name: `north ${index}`,
    slug: `t${index}`,
  }))
  await create('tenancy/tenants', tenants)
})
afterAll(() => api.close())

const page = async (query: string) => await api.ask('GET', `/search/${query}`, { headers: { accept: 'text/html' } })

it.each([
  ['', 200, ['<h1>Search</h1>'], ['Nothing was found']],
  ['?q=nowhere', 200, ['Nothing was found.'], []],
  // Best matches of all types, with links that narrow them.
  [
    '?q=north',
    200,
    ['North &lt;b&gt;', 'obj_types=tenancy.tenant', 'All 60 Tenants', 'of <strong>62</strong>'],
    ['<b>'],
  ],
  [
    '?q=north&obj_types=dcim.region',
    200,
    ['href="/dcim/regions/1/"', 'obj_types=tenancy.tenant', 'aria-current="true"'],
    ['/dcim/sites/1/', 'All 1 '],
  ],
  ['?q=north&obj_types=tenancy.tenant', 200, ['rel="next"', 'offset=50'], []],
  ['?q=north&obj_types=tenancy.tenant&offset=50', 200, ['rel="prev"'], ['rel="next"']],
  // A match in a field other than the name is named and highlighted.
  ['?q=north-1&lookup=iexact', 200, ['Facility: ', '<mark>NORTH-1</mark>'], []],
  ['?q=(&lookup=iregex', 400, ['Enter a valid regular expression.', 'value="("'], []],
  ['?q=a&obj_types=dcim.ship', 400, ['No object type is named dcim.ship.'], []],
])('/search/%s', async (query, status, present, absent) => {
  const answer = await page(query)
  expect(answer.status).toBe(status)
  for (const text of present) expect(answer.text).toContain(text)
  for (const text of absent) expect(answer.text).not.toContain(text)
})

it('redirects people to the login page when they are not logged in', async () => {
  const { status, headers } = await api.ask('GET', '/search/?q=a', {
    headers: { accept: 'text/html' },
    token: null,
  })
  expect([status, headers.get('location')]).toEqual([303, '/login/?next=%2Fsearch%2F%3Fq%3Da'])
})

describe('objects whose names are ambiguous', () => {
  beforeAll(async () => {
    const create = async (path: string, body: object): Promise<number> => {
      const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
      expect(status, text).toBe(201)
      return Number(json.id)
    }
    const named = (name: string) => ({ name, slug: name })
    const site = await create('dcim/sites', named('akron'))
    const role = await create('dcim/device-roles', named('core'))
    const manufacturer = await create('dcim/manufacturers', named('acme'))
    const device_type = await create('dcim/device-types', { manufacturer, model: 'x', slug: 'x' })
    const device = await create('dcim/devices', { name: 'coreswitch1', site, role, device_type })
    await create('dcim/interfaces', { device, name: 'xe-0/0/0', type: '1000base-t' })
    const virtual_chassis = await create('dcim/virtual-chassis', { name: 'stack' })
    await create('dcim/devices', { site, role, device_type, virtual_chassis, vc_position: 2 })
    await create('dcim/devices', { site, role, device_type })
    await create('dcim/interfaces', { device, name: 'xe-0/0/1', type: '1000base-t' })
    const virtual_machine = await create('virtualization/virtual-machines', { name: 'vm', site })
    await create('virtualization/interfaces', { virtual_machine, name: 'xe-0' })
    await create('virtualization/interfaces', { virtual_machine, name: 'xe-1' })
  })

  it.each([
    ['en', 'Interfaces (DCIM)', 'Interfaces (Virtualization)'],
    ['de', 'Schnittstellen (DCIM)', 'Schnittstellen (Virtualisierung)'],
  ])('are of kinds with the same name, distinguished by their app (%s)', async (language, ...labels) => {
    const { text } = await api.ask('GET', '/search/?q=xe-', {
      headers: { accept: 'text/html', 'accept-language': language },
    })
    const chips = [...text.matchAll(/<li><a href="\?[^>]*>([^<]*) <span class="number">/g)]
    expect(chips.map(([, label]) => label)).toEqual(expect.arrayContaining(labels))
  })

  it.each([
    ['en', 'Interface'],
    ['de', 'Schnittstelle'],
  ])('are suggested with what they belong to, and their kind (%s)', async (language, kind) => {
    const { json, status } = await api.ask('GET', '/search/suggestions/?q=coreswitch1+xe-0/0/0', {
      headers: { accept: 'application/json', 'accept-language': language },
    })
    expect(status).toBe(200)
    expect(json.results).toEqual([{ name: 'xe-0/0/0', context: 'coreswitch1', kind, page: '/dcim/interfaces/1/' }])
  })

  it('are suggested only to those who may view them', async () => {
    const answer = await api.ask('GET', '/search/suggestions/?q=xe-', { token: null })
    expect([answer.status, answer.headers.get('location')?.startsWith('/login/')]).toEqual([303, true])
  })

  it.each([
    ['a member of a virtual chassis', 'stack:2', 'stack:2'],
    ['a device without anything but its type', 'acme x (', /^acme x \(\d+\)$/],
    ['a port by its short name before its device', 'xe0/0/1 coreswitch', 'xe-0/0/1'],
    ['a port by its number', '0/0/1 coreswitch1', 'xe-0/0/1'],
    ['nothing', 'xe0/0/9 coreswitch', undefined],
  ])('are found by what pages show as their names: %s', async (_what, text, name) => {
    const { json } = await api.ask('GET', `/search/suggestions/?q=${encodeURIComponent(text)}`)
    const [first] = json.results ?? []
    if (name === undefined) expect(json.results).toEqual([])
    else expect(first?.name).toEqual(typeof name === 'string' ? name : expect.stringMatching(name))
  })

  it.each([
    ['stack:2', 1],
    ['acme x (', 1],
    ['STACK:2', 1],
    ['stack:9', 0],
    ['coreswitch1 (', 0],
  ])('are found in their list by the name that it shows: %s', async (text, count) => {
    const { json } = await api.ask('GET', `/api/dcim/devices/?q=${encodeURIComponent(text)}`)
    expect(json.count).toBe(count)
  })

  it('are limited to eight, the best ones first', async () => {
    const { json } = await api.ask('GET', '/search/suggestions/?q=north')
    const names = json.results?.map(({ name }) => name)
    expect(names).toHaveLength(8)
    expect(names).toContain('North <b>')
  })
})

describe('a search in the header', () => {
  const ids = new Map<string, number>()
  beforeAll(async () => {
    const create = async (key: string, path: string, body: object): Promise<void> => {
      const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
      expect(status, text).toBe(201)
      ids.set(key, Number(json.id))
    }
    await create('lone', 'tenancy/tenants', { name: 'Only Harbour', slug: 'only-harbour', comments: 'quay wall' })
    await create('longer', 'tenancy/tenants', { name: 'Only Harbour East', slug: 'only-harbour-east' })
    await create('twin', 'tenancy/tenants', { name: 'Twin', slug: 'twin' })
    await create('other twin', 'dcim/sites', { name: 'twin', slug: 'twin' })
    await create('vrf', 'ipam/vrfs', { name: 'vrf' })
    await create('prefix', 'ipam/prefixes', { prefix: '198.51.100.0/24' })
    await create('address', 'ipam/ip-addresses', { address: '198.51.100.7/24' })
    await create('address 6', 'ipam/ip-addresses', { address: '2001:db8::a/64' })
    await create('doubled', 'ipam/ip-addresses', { address: '198.51.100.8/24' })
    await create('doubled again', 'ipam/ip-addresses', { address: '198.51.100.8/24', vrf: ids.get('vrf') })
  })

  it.each<[string, string, string | undefined]>([
    ['a name that is also part of other names', 'Only Harbour', 'tenancy/tenants/lone'],
    ['a name in another case', ' only HARBOUR ', 'tenancy/tenants/lone'],
    ['the only result, whatever matches', 'quay wall', 'tenancy/tenants/lone'],
    ['an address among prefixes that contain it', '198.51.100.7', 'ipam/ip-addresses/address'],
    ['an address with its length', '198.51.100.7/24', 'ipam/ip-addresses/address'],
    ['an address in another spelling', '2001:0db8:0::A', 'ipam/ip-addresses/address 6'],
    ['a prefix', '198.51.100.0/24', 'ipam/prefixes/prefix'],
    ['a name of two objects', 'twin', undefined],
    ['an address in two VRFs', '198.51.100.8', undefined],
    ['a part of several names', 'only harb', undefined],
    ['nothing', 'no such name', undefined],
    ['no text', '', undefined],
  ])('with %s (%s) leads to %s', async (_what, text, expected) => {
    const { status, headers } = await page(`?${new URLSearchParams({ go: '1', q: text })}`)
    const [, path = '', key = ''] = /^(.*)\/(.*)$/.exec(expected ?? '') ?? []
    const location = expected === undefined ? null : `/${path}/${ids.get(key)}/`
    expect([status, headers.get('location')]).toEqual([expected === undefined ? 200 : 303, location])
  })

  it('lists the results at the address of the results', async () => {
    expect((await page('?q=Only+Harbour')).status).toBe(200)
    const { text } = await page('?go=1&q=only+harb')
    expect([...text.matchAll(/href="(\?[^"]*)"/g)].filter(([, href]) => href?.includes('go='))).toEqual([])
  })
})
