import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { toolsOf } from '../../agents/client.ts'
import { type Api, type Document, startApi } from '../../support/api.ts'

let api: Api
beforeEach(async () => {
  api = await startApi()
})
afterEach(() => api.close())

/** Ids of objects by their texts. */
type Ids = Readonly<Record<string, number>>

const listed = async (path: string, fields: string, query = ''): Promise<readonly string[]> => {
  const { json, text } = await api.ask('GET', `/api/ipam/${path}/?limit=0&fields=${fields}${query}`)
  expect(json.results, text).toBeDefined()
  return [...(json.results ?? [])].map((object) =>
    fields
      .split(',')
      .map((field) => String(object[field]?.value ?? object[field] ?? ''))
      .join(' '),
  )
}
const prefixes = (query = '') => listed('prefixes', 'prefix,status', query)
const addresses = (query = '') => listed('ip-addresses', 'address,dns_name', query)
const ranges = () => listed('ip-ranges', 'start_address,end_address')

const make = async (path: string, field: string, bodies: readonly Readonly<Record<string, unknown>>[]): Promise<Ids> =>
  Object.fromEntries(
    await Promise.all(bodies.map(async (body) => [String(body[field]), await api.make(`ipam/${path}`, body)] as const)),
  )
const makePrefixes = (...texts: readonly string[]) =>
  make(
    'prefixes',
    'prefix',
    texts.map((prefix) => ({ prefix })),
  )
const makeAddresses = (...texts: readonly string[]) =>
  make(
    'ip-addresses',
    'address',
    texts.map((address) => ({ address })),
  )
const makeRange = (start: string, end: string) => api.make('ipam/ip-ranges', { start_address: start, end_address: end })

const ask = async (id: number | undefined, operation: string, body: object, token?: string) =>
  await api.ask('POST', `/api/ipam/prefixes/${id}/${operation}/`, { body, ...(token && { token }) })
const done = async (id: number | undefined, operation: string, body: object): Promise<Document> => {
  const { status, text, json } = await ask(id, operation, body)
  expect(status, text).toBe(200)
  return json
}
/** The texts of a refusal. */
const refusal = async (id: number | undefined, operation: string, body: object) => {
  const { status, json } = await ask(id, operation, body)
  return [status, ...Object.values(json).flat()]
}
const everything = async () =>
  (
    await Promise.all(
      ['prefixes', 'ip-ranges', 'ip-addresses'].map((path) => api.ask('GET', `/api/ipam/${path}/?limit=0&ordering=id`)),
    )
  ).map(({ text }) => text)
const undo = async (request: unknown) => {
  const { status, text } = await api.ask('POST', `/api/core/requests/${String(request)}/undo/`, { body: {} })
  expect(status, text).toBe(200)
}

it('a prefix is split into parts with its values, and stays around them as a container', async () => {
  await api.make('extras/tags', { name: 'Campus', slug: 'campus' })
  const tenant = await api.make('tenancy/tenants', { name: 'T', slug: 't' })
  const id = await api.make('ipam/prefixes', {
    prefix: '10.0.0.0/24',
    tenant,
    tags: [{ name: 'Campus', slug: 'campus' }],
  })
  await makePrefixes('10.0.0.64/26')
  await makeAddresses('10.0.0.1/24', '10.0.0.65/26', '10.0.0.200/24')
  await makeRange('10.0.0.10/24', '10.0.0.20/24')
  const before = await everything()
  const tried = await done(id, 'split', { length: 26, dry_run: true })
  expect(tried.counts).toEqual({ created: 3, changed: 4, deleted: 0 })
  expect([tried.request_id, [...(tried.created ?? [])].map(({ id, display }) => [id, display])]).toEqual([
    null,
    [
      [null, '10.0.0.0/26'],
      [null, '10.0.0.128/26'],
      [null, '10.0.0.192/26'],
    ],
  ])
  expect(await everything()).toEqual(before)
  const split = await done(id, 'split', { length: 26 })
  expect([...(split.changed ?? [])].map(({ display, changes }) => [display, changes])).toEqual([
    ['10.0.0.0/24', { status: { before: 'active', after: 'container' } }],
    [
      '10.0.0.10-10.0.0.20',
      {
        start_address: { before: '10.0.0.10/24', after: '10.0.0.10/26' },
        end_address: { before: '10.0.0.20/24', after: '10.0.0.20/26' },
      },
    ],
    ['10.0.0.1/24', { address: { before: '10.0.0.1/24', after: '10.0.0.1/26' } }],
    ['10.0.0.200/24', { address: { before: '10.0.0.200/24', after: '10.0.0.200/26' } }],
  ])
  expect(await prefixes()).toEqual([
    '10.0.0.0/24 container',
    '10.0.0.0/26 active',
    '10.0.0.64/26 active',
    '10.0.0.128/26 active',
    '10.0.0.192/26 active',
  ])
  expect(await prefixes(`&tenant_id=${tenant}&tag=campus`)).toHaveLength(4)
  expect(await ranges()).toEqual(['10.0.0.10/26 10.0.0.20/26'])
  await undo(split.request_id)
  expect(await everything()).toEqual(before)
})

it.each([
  ['first', ['10.0.0.0/25 active', '10.0.0.128/25 active'], 1],
  ['delete', ['10.0.0.0/25 active', '10.0.0.128/25 active'], 0],
])('a split prefix can also become the %s', async (original, expected, kept) => {
  const ids = await makePrefixes('10.0.0.0/24')
  const before = await everything()
  const { request_id } = await done(ids['10.0.0.0/24'], 'split', { length: 25, original })
  expect(await prefixes()).toEqual(expected)
  expect(await prefixes(`&id=${ids['10.0.0.0/24']}`)).toHaveLength(kept)
  await undo(request_id)
  expect(await everything()).toEqual(before)
})

it('prefixes are merged into the one that they fill, with what refers to them', async () => {
  const ids = await makePrefixes('2001:db8::/49', '2001:db8:0:8000::/49', '2001:db8:0:8001::/64')
  await makeAddresses('2001:db8::1/49', '2001:db8:0:8000::1/49', '2001:db8:0:8001::1/64')
  const before = await everything()
  const merged = await done(ids['2001:db8::/49'], 'merge', { prefixes: [ids['2001:db8:0:8000::/49']] })
  expect([...(merged.deleted ?? [])].map(({ display }) => display)).toEqual(['2001:db8:0:8000::/49'])
  expect(await prefixes()).toEqual(['2001:db8::/48 active', '2001:db8:0:8001::/64 active'])
  expect(await addresses()).toEqual(['2001:db8::1/48 ', '2001:db8:0:8000::1/48 ', '2001:db8:0:8001::1/64 '])
  await undo(merged.request_id)
  expect(await everything()).toEqual(before)
})

it('prefixes are merged into the container around them, which is none any more', async () => {
  const ids = await make('prefixes', 'prefix', [
    { prefix: '10.0.0.0/24', status: 'container' },
    { prefix: '10.0.0.0/26', status: 'reserved' },
    { prefix: '10.0.0.128/25', status: 'reserved' },
  ])
  await makeAddresses('10.0.0.5/26', '10.0.0.200/25')
  await done(ids['10.0.0.0/24'], 'merge', {})
  expect(await prefixes()).toEqual(['10.0.0.0/24 reserved'])
  expect(await addresses()).toEqual(['10.0.0.5/24 ', '10.0.0.200/24 '])
})

it('a prefix grows and shrinks around its addresses', async () => {
  const ids = await makePrefixes('10.0.0.0/25', '10.0.0.128/26')
  const id = ids['10.0.0.0/25']
  await makeAddresses('10.0.0.1/25', '10.0.0.2/32', '10.0.0.129/26')
  expect(await refusal(id, 'resize', { length: 24 })).toEqual([
    400,
    '10.0.0.128/26 would become a part of the prefix. Set take_in to allow it.',
  ])
  await done(id, 'resize', { length: 24, take_in: true })
  expect(await prefixes()).toEqual(['10.0.0.0/24 active', '10.0.0.128/26 active'])
  expect(await addresses()).toEqual(['10.0.0.1/24 ', '10.0.0.2/32 ', '10.0.0.129/26 '])
  expect(await refusal(id, 'resize', { length: 26 })).toEqual([400, '10.0.0.128/26 is outside of 10.0.0.0/26.'])
  await api.ask('DELETE', `/api/ipam/prefixes/${ids['10.0.0.128/26']}/`)
  expect(await refusal(id, 'resize', { length: 26 })).toEqual([400, '10.0.0.129/26 is outside of 10.0.0.0/26.'])
  expect(await refusal(id, 'resize', { prefix: '10.0.0.128/25' })).toEqual([
    400,
    '10.0.0.1/24 is outside of 10.0.0.128/25.',
  ])
})

it('a prefix is renumbered with all its contents, and the undo restores every byte', async () => {
  const vrf = await api.make('ipam/vrfs', { name: 'A', enforce_unique: true })
  const ids = await makePrefixes('10.0.0.0/16', '10.0.1.0/24', '10.0.1.128/25')
  const other = await api.make('ipam/prefixes', { prefix: '10.0.1.0/24', vrf })
  await make('ip-addresses', 'address', [
    { address: '10.0.1.1/24', dns_name: 'gw.example.com' },
    { address: '10.0.1.129/25' },
    { address: '10.0.1.1/32', vrf },
  ])
  await makeRange('10.0.1.10/24', '10.0.1.20/24')
  const before = await everything()
  const moved = await done(ids['10.0.1.0/24'], 'renumber', { prefix: '192.168.4.0/23' })
  expect(await prefixes('&vrf_id=null')).toEqual([
    '10.0.0.0/16 active',
    '192.168.4.0/23 active',
    '192.168.4.128/25 active',
  ])
  expect(await prefixes(`&id=${other}`)).toEqual(['10.0.1.0/24 active'])
  expect(await addresses('&vrf_id=null')).toEqual(['192.168.4.1/23 gw.example.com', '192.168.4.129/25 '])
  expect(await ranges()).toEqual(['192.168.4.10/23 192.168.4.20/23'])
  await undo(moved.request_id)
  expect(await everything()).toEqual(before)
  await done(ids['10.0.1.0/24'], 'renumber', {
    prefix: '192.168.4.0/24',
    children: false,
    addresses: false,
    names: false,
  })
  expect(await prefixes('&vrf_id=null')).toEqual([
    '10.0.0.0/16 active',
    '10.0.1.128/25 active',
    '192.168.4.0/24 active',
  ])
  expect(await addresses('&vrf_id=null')).toEqual(['10.0.1.1/24 gw.example.com', '10.0.1.129/25 '])
})

const REFUSED: readonly (readonly [string, string, object, string])[] = [
  [
    'an address that no part contains',
    'split',
    { prefixes: ['10.0.0.0/26'], original: 'first' },
    '10.0.0.200/24 is outside of the new prefixes.',
  ],
  [
    'a range over two parts',
    'split',
    { length: 28 },
    '10.0.0.10-10.0.0.20 would lie in several of the new prefixes, or reach beyond one.',
  ],
  ['parts that overlap', 'split', { prefixes: ['10.0.0.0/25', '10.0.0.0/26'] }, '10.0.0.0/25 and 10.0.0.0/26 overlap.'],
  ['a part outside', 'split', { prefixes: ['10.0.1.0/26'] }, '10.0.1.0/26 is not a part of 10.0.0.0/24.'],
  [
    'a range over many parts',
    'split',
    { length: 32, original: 'delete', masks: false, dry_run: true },
    '10.0.0.10-10.0.0.20 would lie in several of the new prefixes, or reach beyond one.',
  ],
  ['no length', 'split', {}, 'Give either the length of the new prefixes, or these prefixes.'],
  ['an option that does not exist', 'split', { lenght: 26 }, 'There is no such option.'],
  [
    'host bits',
    'resize',
    { prefix: '10.0.0.1/23' },
    '10.0.0.1/23 has host bits. Expected a network, such as 192.0.2.0/24.',
  ],
  [
    'a network elsewhere',
    'resize',
    { prefix: '10.9.0.0/23' },
    '10.9.0.0/23 neither contains 10.0.0.0/24 nor lies in it. Renumber the prefix instead.',
  ],
  ['the same size', 'resize', { length: 24 }, 'The prefix has this size already.'],
  ['no others', 'merge', {}, 'Name the prefixes to merge.'],
  ['an unknown prefix', 'merge', { prefixes: [999] }, 'There is no prefix with the id 999 in the same VRF.'],
  ['a target in use', 'renumber', { prefix: '172.16.0.0/24' }, '172.16.0.9/24 is in 172.16.0.0/24 already.'],
  [
    'a target that contains it',
    'renumber',
    { prefix: '10.0.0.0/20' },
    '10.0.0.0/20 contains 10.0.0.0/24. Resize the prefix instead.',
  ],
  ['a smaller target', 'renumber', { prefix: '10.7.0.0/25' }, '10.7.0.0/25 is smaller than 10.0.0.0/24.'],
  ['another family', 'renumber', { prefix: '2001:db8::/64' }, 'Expected a network of the same address family.'],
  [
    'addresses left in no prefix',
    'renumber',
    { prefix: '10.7.0.0/24', addresses: false },
    '10.0.0.200/24 would stay behind in no prefix.',
  ],
]

it('what cannot be done is refused with the object in the way', async () => {
  const ids = await makePrefixes('10.0.0.0/24', '10.0.1.0/24', '10.0.3.0/24', '10.128.0.0/16')
  await makeAddresses('10.0.0.200/24', '172.16.0.9/24')
  await makeRange('10.0.0.10/24', '10.0.0.20/24')
  const before = await everything()
  for (const [name, operation, body, sentence] of REFUSED) {
    expect(await refusal(ids['10.0.0.0/24'], operation, body), name).toEqual([400, sentence])
  }
  expect(await refusal(ids['10.128.0.0/16'], 'split', { length: 27 })).toEqual([
    400,
    'At most 1024 prefixes can be made at once.',
  ])
  expect(await refusal(ids['10.0.1.0/24'], 'merge', { prefixes: [ids['10.0.3.0/24']] })).toEqual([
    400,
    'Together they are not a whole prefix: 10.0.0.0/24 is missing from 10.0.0.0/22.',
  ])
  expect(await everything()).toEqual(before)
})

it('network and broadcast addresses of ports stop a split', async () => {
  const ids = await makePrefixes('10.0.0.0/24')
  const site = await api.make('dcim/sites', { name: 'A', slug: 'a' })
  const role = await api.make('dcim/device-roles', { name: 'R', slug: 'r' })
  const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
  const device_type = await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
  const device = await api.make('dcim/devices', { name: 'd', site, role, device_type })
  const port = await api.make('dcim/interfaces', { device, name: 'p', type: 'virtual' })
  const body = { assigned_object_type: 'dcim.interface', assigned_object_id: port }
  const address = await api.make('ipam/ip-addresses', { address: '10.0.0.64/24', ...body })
  await api.ask('PATCH', `/api/dcim/devices/${device}/`, { body: { primary_ip4: address } })
  const { status, text } = await ask(ids['10.0.0.0/24'], 'split', { length: 26 })
  expect([status, text]).toEqual([400, expect.stringContaining("10.0.0.64/26 is a network's own address")])
  await done(ids['10.0.0.0/24'], 'renumber', { prefix: '10.1.0.0/24' })
  const { json } = await api.ask('GET', `/api/dcim/devices/${device}/`)
  expect(json.primary_ip4?.address).toBe('10.1.0.64/24')
})

it('names of addresses move with them, and views of DNS follow the parts', async () => {
  const { json: packs } = await api.ask('GET', '/api/core/packs/?name=dns')
  await api.ask('PATCH', `/api/core/packs/${packs.results?.[0]?.id}/`, { body: { enabled: true } })
  const dns = (path: string, body: object) => api.make(`plugins/netbox-dns/${path}`, body)
  const server = await dns('nameservers', { name: 'ns1.example.net' })
  const id = await api.make('ipam/prefixes', { prefix: '192.0.2.0/24' })
  const view = await dns('views', { name: 'inside', prefixes: [id] })
  const soa = { view, nameservers: [server], soa_mname: server, soa_rname: 'h.example.net' }
  for (const name of ['example.com', '2.0.192.in-addr.arpa', '0.10.in-addr.arpa']) await dns('zones', { name, ...soa })
  await make('ip-addresses', 'address', [
    { address: '192.0.2.1/24', dns_name: 'a.example.com' },
    { address: '192.0.2.129/24', dns_name: 'b.example.com' },
  ])
  const records = async () => {
    const { json } = await api.ask('GET', '/api/plugins/netbox-dns/records/?limit=0&type=A&type=PTR')
    return [...(json.results ?? [])].map(({ type, name, value }) => `${type} ${name} ${value}`).sort()
  }
  const before = await records()
  expect(before).toHaveLength(4)
  await done(id, 'split', { length: 25, original: 'delete' })
  expect(await records()).toEqual(before)
  const { json } = await api.ask('GET', '/api/ipam/prefixes/?prefix=192.0.2.128/25')
  await done(Number(json.results?.[0]?.id), 'renumber', { prefix: '10.0.5.0/25' })
  expect(await records()).toEqual(['A a 192.0.2.1', 'A b 10.0.5.1', 'PTR 1 a.example.com.', 'PTR 1.5 b.example.com.'])
})

it('in a branch, the plan changes only the branch', async () => {
  const ids = await makePrefixes('10.0.0.0/24')
  await makeAddresses('10.0.0.1/24')
  const { json: branch } = await api.ask('POST', '/api/core/branches/', { body: { name: 'plan' } })
  const headers = { 'X-NetBox-Branch': String(branch.schema_id) }
  const path = `/api/ipam/prefixes/${ids['10.0.0.0/24']}/renumber/`
  const { status, text } = await api.ask('POST', path, { body: { prefix: '10.5.0.0/24' }, headers })
  expect(status, text).toBe(200)
  expect(await prefixes()).toEqual(['10.0.0.0/24 active'])
  expect((await api.ask('POST', `/api/core/branches/${branch.id}/merge/`)).status).toBe(200)
  expect([await prefixes(), await addresses()]).toEqual([['10.5.0.0/24 active'], ['10.5.0.1/24 ']])
})

it('a plan of an agent contains it, and changes only its branch', async () => {
  const agents = await startApi({ MCP_ENABLED: 'true', MCP_CALLS_PER_MINUTE: '0' })
  onTestFinished(() => agents.close())
  const prefix = await agents.make('ipam/prefixes', { prefix: '10.0.0.0/24' })
  const user = await agents.make('users/users', { username: 'ann', password: 'Long-enough-1' })
  const { json } = await agents.ask('POST', '/api/users/tokens/', { body: { user, version: 1, plans_only: true } })
  const grant = (object_types: readonly string[], actions: readonly string[]) =>
    agents.make('users/permissions', { name: 'p', users: [user], object_types, actions })
  await grant(['core.branch', 'core.changerequest'], ['view', 'add'])
  await grant(['ipam.prefix', 'ipam.iprange', 'ipam.ipaddress'], ['view', 'propose'])
  const call = toolsOf(agents, String(json.key))
  const writes = [{ method: 'POST', path: `ipam/prefixes/${prefix}/split/`, body: { length: 25 } }]
  const { document, text } = await call('plan', { title: 'Split', writes })
  expect(document.counts, text).toEqual({ created: 2, changed: 1, deleted: 0 })
  expect((await agents.ask('GET', '/api/ipam/prefixes/')).json.count).toBe(1)
})

it('hidden objects are neither named nor left behind', async () => {
  const ids = await makePrefixes('10.0.0.0/24')
  await make('ip-addresses', 'address', [
    { address: '10.0.0.1/24', description: 'open' },
    { address: '10.0.0.2/24', description: 'hidden' },
    { address: '10.0.0.3/24', description: 'fixed' },
  ])
  const user = await api.make('users/users', { username: 'kim', password: 'Storm-Lantern-7' })
  const grant = async (
    name: string,
    object_types: readonly string[],
    actions: readonly string[],
    constraints?: object,
  ) =>
    await api.make('users/permissions', {
      name,
      object_types,
      actions,
      users: [user],
      ...(constraints && { constraints }),
    })
  await grant('prefixes', ['ipam.prefix', 'ipam.iprange'], ['view', 'add', 'change'])
  const seen = await grant('addresses', ['ipam.ipaddress'], ['view'], { description__in: ['open', 'fixed'] })
  await grant('own addresses', ['ipam.ipaddress'], ['change'], { description: 'open' })
  const key = 'fedcba9876543210fedcba9876543210fedcba98'
  await api.make('users/tokens', { user, key, version: 1, token: key })
  const { status, json } = await ask(ids['10.0.0.0/24'], 'renumber', { prefix: '10.1.0.0/24' }, key)
  expect([status, json.detail]).toEqual([403, 'The plan concerns 2 IP addresses that you may not change.'])
  const shrunk = await ask(ids['10.0.0.0/24'], 'resize', { prefix: '10.0.0.128/25' }, key)
  expect([shrunk.status, Object.values(shrunk.json).flat()]).toEqual([
    400,
    ['10.0.0.1/24 is outside of 10.0.0.128/25.'],
  ])
  await api.ask('PATCH', `/api/users/permissions/${seen}/`, { body: { constraints: { description: 'fixed' } } })
  const hidden = await ask(ids['10.0.0.0/24'], 'resize', { prefix: '10.0.0.128/25' }, key)
  expect(Object.values(hidden.json).flat()).toEqual(['An address that you may not view is outside of 10.0.0.128/25.'])
})
