import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOfTest, startApi } from '../support/api.ts'

/**
 * A document in which every object comes before the objects to which it refers, with a cycle of device, interface and
 * address.
 */
const DOCUMENT = {
  objects: {
    'dcim.cable': [
      {
        a_terminations: [{ object_type: 'dcim.interface', object_id: { device: { name: 'r1' }, name: 'e1' } }],
        b_terminations: [{ object_type: 'dcim.interface', object_id: { device: { name: 'r2' }, name: 'e1' } }],
        label: 'C1',
      },
    ],
    'dcim.device': ['r1', 'r2'].map((name) => ({
      name,
      site: { slug: 'ams' },
      role: { slug: 'router' },
      device_type: { slug: 'mx' },
      ...(name === 'r1' && { primary_ip4: { address: '10.0.0.1/24' } }),
      tags: [{ slug: 'core' }],
    })),
    'dcim.interface': ['r1', 'r2'].map((name) => ({
      device: { name },
      name: 'e1',
      type: '1000base-t',
    })),
    'ipam.ipaddress': [
      {
        address: '10.0.0.1/24',
        assigned_object_type: 'dcim.interface',
        assigned_object_id: { device: { name: 'r1' }, name: 'e1' },
      },
    ],
    'ipam.prefix': [{ prefix: '10.0.0.0/24', scope_type: 'dcim.site', scope_id: { slug: 'ams' } }],
    'dcim.region': [
      { name: 'North Holland', slug: 'nh', parent: { slug: 'nl' } },
      { name: 'Netherlands', slug: 'nl' },
    ],
    'dcim.site': [{ name: 'Amsterdam', slug: 'ams', region: { slug: 'nh' } }],
    'dcim.devicetype': [{ model: 'MX', slug: 'mx', manufacturer: { slug: 'j' } }],
    'dcim.manufacturer': [{ name: 'J', slug: 'j' }],
    'dcim.devicerole': [{ name: 'Router', slug: 'router' }],
    'extras.tag': [{ name: 'core', slug: 'core' }],
  },
}

const apply = (api: Api, document: unknown, query = '') => api.ask('POST', `/api/apply/${query}`, { body: document })

const changeCount = async (api: Api): Promise<number> =>
  Number((await api.ask('GET', '/api/core/object-changes/?limit=1')).json.count)

const withoutCables = {
  objects: Object.fromEntries(Object.entries(DOCUMENT.objects).filter(([type]) => type !== 'dcim.cable')),
}

describe('a document', () => {
  it('creates objects of several models, whatever their order, and then changes nothing', async () => {
    const api = await apiOfTest()
    const first = await apply(api, DOCUMENT)
    expect([first.status, first.json], first.text).toMatchObject([200, { created: 14, updated: 0, unchanged: 0 }])
    const device = (await api.ask('GET', '/api/dcim/devices/?name=r1')).json.results?.[0]
    expect(device?.primary_ip4?.address).toBe('10.0.0.1/24')
    const region = (await api.ask('GET', '/api/dcim/regions/?slug=nh')).json.results?.[0]
    expect(region?.parent?.slug).toBe('nl')
    expect((await api.ask('GET', '/api/ipam/prefixes/')).json.results?.[0]?.scope?.slug).toBe('ams')
    const before = await changeCount(api)
    const again = await apply(api, DOCUMENT)
    expect(again.json, again.text).toMatchObject({ created: 0, updated: 0, unchanged: 14 })
    expect(await changeCount(api)).toBe(before)
  })

  it('can be tried in a dry run', async () => {
    const api = await apiOfTest()
    const tried = await apply(api, withoutCables, '?dry_run=true')
    expect(tried.json).toMatchObject({ status: 200, result: { created: 13 } })
    expect(await changeCount(api)).toBe(0)
  })
})

describe('an invalid document', () => {
  const REFUSED = [
    { name: 'an unknown type', document: { objects: { 'dcim.sites': [] } }, says: 'dcim.sites' },
    { name: 'no list', document: { objects: { 'dcim.site': {} } }, says: 'list of objects' },
    { name: 'no objects', document: [], says: 'objects' },
    {
      name: 'an object without a key',
      document: { objects: { 'dcim.site': [{}] } },
      says: 'identify',
    },
    {
      name: 'a missing relation',
      document: { objects: { 'dcim.site': [{ name: 'A', slug: 'a', region: { slug: 'x' } }] } },
      says: 'dcim.site',
    },
    {
      name: 'a missing object of a typed relation',
      document: {
        objects: {
          'ipam.prefix': [{ prefix: '10.0.0.0/8', scope_type: 'dcim.site', scope_id: { slug: 'x' } }],
        },
      },
      says: 'scope_id',
    },
  ]

  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  it.each(REFUSED)('is refused as a whole for $name', async ({ document, says }) => {
    const objects = { ...withoutCables.objects, ...('objects' in document ? document.objects : {}) }
    const answer = await apply(api, 'objects' in document ? { objects } : document)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(says)])
    expect(await changeCount(api)).toBe(0)
  })
})
