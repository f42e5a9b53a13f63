import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** Client programs match these messages word for word: they are part of the API. */
describe('error messages that client programs match', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ ENFORCE_GLOBAL_UNIQUE: 'true' })
    const objects: readonly [string, object][] = [
      ['dcim/sites', { name: 'Here', slug: 'here' }],
      ['dcim/manufacturers', { name: 'Maker', slug: 'maker' }],
      ['ipam/vrfs', { name: 'Blue', rd: '65000:1', enforce_unique: true }],
      ['ipam/ip-addresses', { address: '192.0.2.1/24' }],
      ['ipam/ip-addresses', { address: '192.0.2.1/24', vrf: 1 }],
      ['ipam/prefixes', { prefix: '10.0.0.0/8' }],
      ['ipam/prefixes', { prefix: '10.0.0.0/8', vrf: 1 }],
      ['ipam/prefixes', { prefix: '10.0.0.0/9' }],
      ['ipam/prefixes', { prefix: '10.128.0.0/9' }],
      ['ipam/ip-ranges', range],
      ['ipam/ip-ranges', { ...range, vrf: 1 }],
      ['dcim/device-types', { manufacturer: 1, model: 'C', slug: 'c', subdevice_role: 'parent' }],
      ['dcim/device-bay-templates', { device_type: 1, name: 'bay' }],
      ['extras/webhooks', { name: 'hook', payload_url: 'http://localhost/' }],
      ['extras/event-rules', rule],
    ]
    for (const [path, body] of objects) {
      const { status, text } = await api.ask('POST', `/api/${path}/`, { body })
      expect(status, text).toBe(201)
    }
  })
  afterAll(() => api.close())

  const rule = {
    name: 'rule',
    object_types: ['dcim.site'],
    event_types: ['object_created'],
    action_type: 'webhook',
    action_object_type: 'extras.webhook',
    action_object_id: 1,
  }
  const site = { name: 'There', slug: 'there' }
  // path, body → field and message
  const cases: readonly [string, object, string, string][] = [
    ['dcim/sites', { ...site, region: 5 }, 'region', 'Related object not found using the provided numeric ID: 5'],
    ['dcim/sites', { ...site, asns: [7] }, 'asns', 'Related object not found using the provided numeric ID: 7'],
    [
      'dcim/sites',
      { ...site, region: { name: 'North' } },
      'region',
      "Related object not found using the provided attributes: {'name': 'North'}",
    ],
    [
      'dcim/locations',
      { ...site, site: { name: 'Here', region: { name: "O'Hare" } } },
      'site',
      `Related object not found using the provided attributes: {'name': 'Here', 'region__name': "O'Hare"}`,
    ],
    [
      'dcim/sites',
      { ...site, region: { slug: 'not a slug' } },
      'region',
      "Related object not found using the provided attributes: {'slug': 'not a slug'}",
    ],
    [
      'dcim/sites',
      { ...site, region: { name__icontains: { toString: 1 } } },
      'region',
      `Related object not found using the provided attributes: {'name__icontains': '{"toString":1}'}`,
    ],
    ['dcim/sites', { name: 'Here', slug: 'x' }, 'name', 'site with this name already exists.'],
    ['dcim/sites', { name: 'x', slug: 'here' }, 'slug', 'site with this slug already exists.'],
    ['dcim/manufacturers', { name: 'Maker', slug: 'x' }, 'name', 'manufacturer with this name already exists.'],
    ['extras/event-rules', rule, 'name', 'event rule with this name already exists.'],
    [
      'extras/event-rules',
      { ...rule, name: 'two', action_object_id: 999_999 },
      'action_object_id',
      'Related object not found using the provided value: 999999.',
    ],
    [
      'ipam/ip-addresses',
      { address: '192.0.2.1/32' },
      'address',
      'Duplicate IP address found in global table: 192.0.2.1/24',
    ],
    [
      'ipam/ip-addresses',
      { address: '192.0.2.1/24', vrf: 1 },
      'address',
      'Duplicate IP address found in VRF Blue (65000:1): 192.0.2.1/24',
    ],
    ['ipam/prefixes', { prefix: '10.0.0.0/8' }, 'prefix', 'Duplicate prefix found in global table: 10.0.0.0/8'],
    [
      'ipam/prefixes',
      { prefix: '10.0.0.0/8', vrf: 1 },
      'prefix',
      'Duplicate prefix found in VRF Blue (65000:1): 10.0.0.0/8',
    ],
    ['dcim/sites', { name: 'x' }, 'slug', 'This field is required.'],
    ['dcim/sites', { ...site, name: '' }, 'name', 'This field may not be blank.'],
    ['dcim/sites', { ...site, name: null }, 'name', 'This field may not be null.'],
    [
      ...(['dcim/sites', { ...site, status: 'nope' }, 'status'] as const),
      '"nope" is not a valid choice. Choose one of: planned, staging, active, decommissioning, retired.',
    ],
  ]
  it.each(cases)('%s %j is refused on %s: %s', async (path, body, field, sentence) => {
    const { status, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status).toBe(400)
    expect(json).toEqual({ [field]: [sentence] })
  })

  const range = { start_address: '198.51.100.5/24', end_address: '198.51.100.9/24' }
  // client, method, path, body → words that it looks for in the response
  const matched: readonly [string, string, string, object, number, RegExp[]][] = [
    [
      'netbox-community/netbox-operator',
      'POST',
      'ipam/ip-ranges/',
      range,
      400,
      [/Defined addresses overlap with range (198\S+) in VRF None"/i],
    ],
    [
      'netbox-community/netbox-operator',
      'POST',
      'ipam/ip-ranges/',
      { ...range, vrf: 1 },
      400,
      [/Defined addresses overlap with range (198\S+) in VRF Blue \(65000:1\)"/i],
    ],
    [
      'marcinpsk/Device-Type-Library-Import',
      'PATCH',
      'dcim/device-types/1/',
      { subdevice_role: 'child' },
      400,
      [/device bay templates/, /declassifying it as a parent device/],
    ],
    ['bl4ko/netbox-ssot', 'POST', 'ipam/ip-addresses/', { address: '192.0.2.1/24' }, 400, [/Duplicate/]],
    [
      'bab3l/terraform-provider-netbox',
      'POST',
      'dcim/sites/',
      { name: 'x', slug: 'here' },
      400,
      [/already exists|must be unique/i],
    ],
    [
      'e-breuninger/terraform-provider-netbox',
      'POST',
      'ipam/prefixes/1/available-prefixes/',
      { prefix_length: 8 },
      409,
      [/Insufficient resources are available to satisfy the request/],
    ],
    [
      'e-breuninger/terraform-provider-netbox',
      'POST',
      'dcim/sites/',
      { ...site, region: 5 },
      400,
      [/Related object not found using the provided numeric ID/],
    ],
  ]
  it.each(matched)('%s finds its words: %s %s %j', async (_client, method, path, body, status, words) => {
    const answer = await api.ask(method, `/api/${path}`, { body })
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    for (const word of words) expect(answer.text).toMatch(word)
  })

  it('two objects of one request that are duplicates of each other', async () => {
    const body = [{ prefix: '10.9.0.0/16' }, { prefix: '10.9.0.0/16' }]
    const { json } = await api.ask('POST', '/api/ipam/prefixes/', { body })
    expect(json).toEqual([{}, { prefix: ['Duplicate prefix found in global table: 10.9.0.0/16'] }])
  })
})
