import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { forEachStorage } from '../support/database.ts'

/** Client programs match these messages word for word: they are part of the API. */
forEachStorage('error messages that client programs match', (open) => {
  let api: Api
  beforeAll(async () => {
    api = await startApi(open, { ENFORCE_GLOBAL_UNIQUE: 'true' })
    const objects: readonly [string, object][] = [
      ['dcim/sites', { name: 'Here', slug: 'here' }],
      ['dcim/manufacturers', { name: 'Maker', slug: 'maker' }],
      ['ipam/vrfs', { name: 'Blue', rd: '65000:1', enforce_unique: true }],
      ['ipam/ip-addresses', { address: '192.0.2.1/24' }],
      ['ipam/ip-addresses', { address: '192.0.2.1/24', vrf: 1 }],
      ['ipam/prefixes', { prefix: '10.0.0.0/8' }],
      ['ipam/prefixes', { prefix: '10.0.0.0/8', vrf: 1 }],
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
    [
      'dcim/sites',
      { ...site, region: 5 },
      'region',
      'Related object not found using the provided numeric ID: 5',
    ],
    [
      'dcim/sites',
      { ...site, asns: [7] },
      'asns',
      'Related object not found using the provided numeric ID: 7',
    ],
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
    [
      'dcim/manufacturers',
      { name: 'Maker', slug: 'x' },
      'name',
      'manufacturer with this name already exists.',
    ],
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
    [
      'ipam/prefixes',
      { prefix: '10.0.0.0/8' },
      'prefix',
      'Duplicate prefix found in global table: 10.0.0.0/8',
    ],
    [
      'ipam/prefixes',
      { prefix: '10.0.0.0/8', vrf: 1 },
      'prefix',
      'Duplicate prefix found in VRF Blue (65000:1): 10.0.0.0/8',
    ],
    ['dcim/sites', { name: 'x' }, 'slug', 'This field is required.'],
    ['dcim/sites', { ...site, name: '' }, 'name', 'This field may not be blank.'],
    ['dcim/sites', { ...site, name: null }, 'name', 'This field may not be null.'],
    ['dcim/sites', { ...site, status: 'nope' }, 'status', '"nope" is not a valid choice.'],
  ]
  it.each(cases)('%s %j is refused on %s: %s', async (path, body, field, sentence) => {
    const { status, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status).toBe(400)
    expect(json).toEqual({ [field]: [sentence] })
  })

  it('two objects of one request that are duplicates of each other', async () => {
    const body = [{ prefix: '10.9.0.0/16' }, { prefix: '10.9.0.0/16' }]
    const { json } = await api.ask('POST', '/api/ipam/prefixes/', { body })
    expect(json).toEqual([{}, { prefix: ['Duplicate prefix found in global table: 10.9.0.0/16'] }])
  })
})
