import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { modernMessage, toolsOf } from './client.ts'

const OPEN = 'open to everybody'
const SECRET = 'zephyr'

/** Objects of a station, with this description. */
async function makeStation(api: Api, name: string, net: string, description: string): Promise<void> {
  const make = (path: string, body: object) => api.make(path, { description, ...body })
  const named = { name, slug: name }
  const tenant = await make('tenancy/tenants', named)
  const site = await make('dcim/sites', { ...named, tenant })
  const rack = await make('dcim/racks', { name: `${name} rack`, site, u_height: 6 })
  const manufacturer = await make('dcim/manufacturers', named)
  const device_type = await make('dcim/device-types', { manufacturer, model: name, slug: name })
  const role = await make('dcim/device-roles', named)
  const ends: object[] = []
  for (const position of [1, 2]) {
    const place = { site, rack, position, face: 'front' }
    const device = await make('dcim/devices', { name: `${name} ${position}`, device_type, role, ...place })
    const object_id = await make('dcim/interfaces', { device, name: 'eth0', type: '1000base-t' })
    ends.push({ object_type: 'dcim.interface', object_id })
  }
  await make('dcim/cables', { a_terminations: ends.slice(0, 1), b_terminations: ends.slice(1) })
  await make('ipam/prefixes', { prefix: `${net}.0/29` })
  await make('ipam/ip-ranges', { start_address: `${net}.16/28`, end_address: `${net}.20/28` })
  await make('ipam/vlan-groups', { ...named, vid_ranges: [[10, 12]] })
  const rir = await make('ipam/rirs', named)
  const start = Number(net.split('.')[1]) * 1000
  await make('ipam/asn-ranges', { ...named, rir, start, end: start + 5 })
  await api.ask('PATCH', `/api/dcim/sites/${site}/`, { body: { facility: name } })
  await api.ask(
    'DELETE',
    `/api/dcim/manufacturers/${await make('dcim/manufacturers', { name: `${name} 2`, slug: `${name}-2` })}/`,
  )
}

/** A custom object in the first site and rack, with this text in its notes, and a part of it. */
async function makeGadget(api: Api, label: string, notes: string): Promise<void> {
  const places = [{ object_type: 'dcim.rack', object_id: 1 }]
  const values = { amount: 40, price: 2.5, site: 1, racks: [1], places }
  const gadget = await api.make('plugins/custom-objects/gadgets', { label, notes, ...values })
  await api.make('plugins/custom-objects/gadget-parts', { gadget, position: 1, spares: [gadget], grade: 'gold' })
}

let twins: readonly { readonly api: Api; readonly token: string }[] = []

/** Two databases, of which the second one has a station more that the user may not view. */
beforeAll(async () => {
  twins = await Promise.all(
    [false, true].map(async (hasMore) => {
      const api = await startApiWithOwnModels({ MCP_ENABLED: 'true', MCP_CALLS_PER_MINUTE: '0' })
      const user = await api.make('users/users', { username: 'ann', password: 'Long-enough-1' })
      const types = [...api.service.registry.models.values()].filter(
        ({ fields, path }) => path !== '' && fields.has('description') && !path.startsWith('users/'),
      )
      const permission = (object_types: readonly string[], actions: readonly string[], constraints: object | null) =>
        api.make('users/permissions', { name: 'p', users: [user], object_types, actions, constraints })
      await permission(
        types.map(({ name }) => name),
        ['view'],
        { description: OPEN },
      )
      await permission(['custom_objects.gadget'], ['view'], { notes: OPEN })
      await permission(['custom_objects.gadgetpart'], ['view'], { gadget__notes: OPEN })
      await permission(['core.branch', 'core.changerequest'], ['view', 'add'], { description: OPEN })
      await permission(['dcim.site'], ['propose'], { description: OPEN })
      await permission(['core.objectchange'], ['view'], null)
      await makeStation(api, 'gull', '10.1.0', OPEN)
      await makeGadget(api, 'gull', OPEN)
      if (hasMore) {
        await makeGadget(api, SECRET, 'hidden')
        await makeStation(api, SECRET, '10.2.0', 'hidden')
        const branch = await api.make('core/branches', { name: SECRET })
        await api.make('core/change-requests', { title: SECRET, branch })
      }
      await api.background.runUntilIdle()
      const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1, plans_only: true } })
      return { api, token: String(json.key) }
    }),
  )
})
afterAll(async () => {
  await Promise.all(twins.map(({ api }) => api.close()))
})

/** Ids of change records and requests are consecutive or random, and times differ anyway. */
const volatile = /"(id|time|created|last_updated|request_id|last_used|url)":("[^"]*"|\d+)/g

const CALLS: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] = [
  ...[SECRET, 'gull', 'hidden', '10.2.0.1', '10.1.0.1'].map((text) => ['search', { text }] as const),
  ['describe', {}],
  ['describe', { type: 'dcim.site' }],
  ['describe', { type: 'users.token' }],
  ['history', {}],
  ['history', { user: 'admin', limit: 200 }],
  ['history', { after: '2020-01-01', limit: 200 }],
  ...['dcim.site', 'dcim.device', 'dcim.manufacturer', 'custom_objects.gadget'].flatMap((type) =>
    [1, 2, 3, 4, 5].flatMap(
      (id) =>
        [
          ['history', { type, id }],
          ['history', { type, id, user: 'admin' }],
        ] as const,
    ),
  ),
  ...[1, 2, 3, 4].flatMap((id) => [
    ['trace', { type: 'dcim.interface', id }] as const,
    ['neighbours', { device: id }] as const,
    ...[
      'prefixes in prefix',
      'addresses in prefix',
      'addresses in range',
      'VIDs in VLAN group',
      'ASNs in ASN range',
      'units in rack',
    ].map((what) => ['free_space', { what, id }] as const),
    ['plan_status', { plan: id }] as const,
  ]),
  ['plan_status', {}],
  [
    'plan',
    { title: 'Facility', try: true, writes: [{ method: 'PATCH', path: 'dcim/sites/1/', body: { facility: 'X' } }] },
  ],
  [
    'plan',
    { title: 'Hidden', try: true, writes: [{ method: 'PATCH', path: 'dcim/sites/2/', body: { facility: 'X' } }] },
  ],
  ['plan', { title: 'Hidden', try: true, writes: [{ method: 'DELETE', path: 'dcim/sites/2/' }] }],
  [
    'plan',
    {
      title: 'Reference',
      try: true,
      writes: [{ method: 'PATCH', path: 'dcim/sites/1/', body: { tenant: { slug: SECRET } } }],
    },
  ],
  [
    'plan',
    {
      title: 'Document',
      try: true,
      document: { objects: { 'dcim.site': [{ name: 'gull', slug: 'gull', tenant: { slug: SECRET } }] } },
    },
  ],
]

it('every tool and resource gives the same with and without hidden objects', async () => {
  const [first, second] = twins
  if (!first || !second) throw new Error('There are no twins')
  const reads = [...first.api.service.registry.models.values()].flatMap(({ name: type, path, fields }) =>
    path === '' || path.startsWith('users/')
      ? []
      : ([
          ['read', { type, full: true, limit: 200 }],
          ['read', { type, count: true }],
          ...(fields.has('name') ? [['read', { type, filters: { name__ic: 'z' }, order: '-name' }] as const] : []),
          ...[1, 2, 3, 4].map((id) => ['read', { type, id }] as const),
        ] as const),
  )
  const results = async ({ api, token }: typeof first) => {
    const call = toolsOf(api, token)
    const texts: string[] = []
    for (const [tool, args] of [...CALLS, ...reads]) {
      const { text } = await call(tool, { ...args, max_bytes: 1_000_000 })
      texts.push(`${tool} ${JSON.stringify(args)}: ${text.replaceAll(api.url, '').replaceAll(volatile, '"$1":0')}`)
    }
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: 'cadastre://schema/dcim.site' }],
      ['resources/read', { uri: 'cadastre://schema/users.token' }],
      ['tools/list', {}],
    ] as const) {
      texts.push((await api.ask('POST', '/mcp', { token, ...modernMessage(method, params) })).text)
    }
    return texts
  }
  const [less, more] = [await results(first), await results(second)]
  expect(less.length).toBeGreaterThan(500)
  expect(less.filter((text, index) => text !== more[index])).toEqual([])
  // The hidden station is there for those who may view it, and the visible one for everybody.
  const counts = await Promise.all(
    twins.map(async ({ api }) => Number((await toolsOf(api)('search', { text: SECRET })).document.count)),
  )
  expect(counts).toEqual([0, expect.toSatisfy((count) => Number(count) > 5)])
  expect((await toolsOf(second.api, second.token)('search', { text: 'gull' })).document.count).toBeGreaterThan(5)
})
