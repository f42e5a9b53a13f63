import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { volatile } from '../../src/sql/fragment.ts'
import { type Api, startApi } from '../support/api.ts'
import { untilTemplatesRender } from '../support/templates.ts'

/** Reads beyond lists and details, with the placeholders of objects that `beforeAll` creates. */
const READS = [
  'dcim/interfaces/{near}/trace/',
  'dcim/interfaces/{near}/trace/?render=svg',
  'dcim/front-ports/{front}/paths/',
  'dcim/cable-terminations/',
  'dcim/connected-device/?peer_device=sw1&peer_interface=eth0',
  'dcim/racks/{rack}/elevation/',
  'dcim/racks/{rack}/elevation/?render=svg&face=rear',
  'ipam/prefixes/{prefix}/available-ips/',
  'ipam/prefixes/{prefix}/available-prefixes/',
  'ipam/vlan-groups/{group}/available-vlans/?limit=3',
  'ipam/ip-ranges/{range}/available-ips/',
  'ipam/asn-ranges/{asns}/available-asns/',
  'extras/custom-field-choice-sets/{choices}/choices/',
  'ipam/prefixes/?contains=10.0.0.9',
  'ipam/prefixes/{prefix}/',
  'dcim/devices/{device}/',
  'dcim/devices/{device}/?fields=config_context',
  'virtualization/virtual-machines/{machine}/',
  'dcim/devices/?local_context_data=false',
  'dcim/devices/?interfaces=true&has_primary_ip=false',
  'dcim/devices/?cf_owner_code=A1',
  'dcim/regions/?ordering=-name',
  'dcim/sites/?region=outer',
  'dcim/sites/?export=names',
] as const

const QUERY = '{ device_list { name site { name region { name } } interfaces { name } tags { name } } }'

describe('reads of actions as of a point in time', () => {
  let api: Api
  let time: string
  let shown: ReadonlyMap<string, string>
  const ids = new Map<string, number>()

  const create = async (path: string, body: object): Promise<number> => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, `${path} ${text}`).toBe(201)
    return Number(json.id)
  }
  const filledIn = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids.get(name)))
  const read = async (path: string, query = ''): Promise<string> => {
    const address = `/api/${filledIn(path)}`
    const { status, text } = await api.ask('GET', `${address}${address.includes('?') ? '&' : '?'}${query}`)
    expect(status, `${address} ${text}`).toBe(200)
    return text
  }
  const ask = async (query = ''): Promise<string> =>
    (await api.ask('POST', `/graphql/${query}`, { body: { query: QUERY } })).text

  beforeAll(async () => {
    api = await startApi()
    const outer = await create('dcim/regions', { name: 'Outer', slug: 'outer' })
    const inner = await create('dcim/regions', { name: 'Inner', slug: 'inner', parent: outer })
    const site = await create('dcim/sites', { name: 'S', slug: 's', region: inner })
    const rack = await create('dcim/racks', { name: 'R', site, u_height: 6 })
    const manufacturer = await create('dcim/manufacturers', { name: 'M', slug: 'm' })
    const type = await create('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
    const role = await create('dcim/device-roles', { name: 'Role', slug: 'role' })
    const tag = await create('extras/tags', { name: 'blue', slug: 'blue' })
    await create('extras/custom-fields', {
      name: 'owner_code',
      type: 'text',
      object_types: ['dcim.device'],
    })
    await create('extras/config-contexts', { name: 'ntp', data: { ntp: 'a' }, sites: [site] })
    await create('extras/export-templates', {
      ...{ name: 'names', object_types: ['dcim.site'] },
      template_code: '{% for site in queryset %}{{ site.name }} {{ site.region.name }}\n{% endfor %}',
    })
    const device = await create('dcim/devices', {
      ...{ name: 'sw1', site, rack, role, device_type: type, position: 2, face: 'front' },
      ...{ tags: [tag], custom_fields: { owner_code: 'A1' } },
    })
    const other = await create('dcim/devices', { name: 'sw2', site, role, device_type: type })
    const near = await create('dcim/interfaces', { device, name: 'eth0', type: '1000base-t' })
    const far = await create('dcim/interfaces', { device: other, name: 'eth0', type: '1000base-t' })
    const rear = await create('dcim/rear-ports', { device: other, name: 'r', type: '8p8c' })
    const front = await create('dcim/front-ports', {
      ...{ device: other, name: 'f', type: '8p8c' },
      rear_ports: [{ position: 1, rear_port: rear, rear_port_position: 1 }],
    })
    const end = (object_type: string, object_id: number) => [{ object_type, object_id }]
    await create('dcim/cables', {
      a_terminations: end('dcim.interface', near),
      b_terminations: end('dcim.frontport', front),
    })
    await create('dcim/cables', {
      a_terminations: end('dcim.rearport', rear),
      b_terminations: end('dcim.interface', far),
    })
    const prefix = await create('ipam/prefixes', { prefix: '10.0.0.0/28' })
    await create('ipam/ip-addresses', { address: '10.0.0.2/28' })
    await create('ipam/prefixes', { prefix: '10.0.0.8/29' })
    const group = await create('ipam/vlan-groups', { name: 'G', slug: 'g' })
    await create('ipam/vlans', { name: 'V', vid: 1, group })
    const range = await create('ipam/ip-ranges', {
      ...{ start_address: '10.1.0.1/24', end_address: '10.1.0.9/24' },
    })
    const rir = await create('ipam/rirs', { name: 'RIR', slug: 'rir' })
    const asns = await create('ipam/asn-ranges', {
      ...{ name: 'ASNs', slug: 'asns', rir, start: 65000, end: 65009 },
    })
    const choices = await create('extras/custom-field-choice-sets', {
      ...{ name: 'Choices', extra_choices: [['a', 'A']] },
    })
    const clusterType = await create('virtualization/cluster-types', { name: 'K', slug: 'k' })
    const cluster = await create('virtualization/clusters', { name: 'C', type: clusterType })
    const machine = await create('virtualization/virtual-machines', { name: 'vm', cluster, site })
    const made = { near, front, rack, prefix, group, device, range, asns, choices, machine }
    for (const [name, id] of Object.entries(made)) ids.set(name, id)

    await untilTemplatesRender(() => api.ask('GET', '/api/dcim/sites/?export=names'))
    const first = new Map<string, string>()
    for (const path of READS) first.set(path, await read(path))
    first.set('graphql', await ask())
    shown = first
    const [[now] = []] = await api.service.database.queryArrays(volatile`select clock_timestamp() from pg_sleep(0.002)`)
    time = String(now)
    await api.service.database.queryArrays(volatile`select pg_sleep(0.002)`)

    const change = async (method: string, path: string, body?: object) => {
      const { status, text } = await api.ask(method, `/api/${path}`, { body })
      expect(status, `${path} ${text}`).toBeLessThan(300)
    }
    await change('PATCH', `dcim/regions/${outer}/`, { name: 'Changed', slug: 'changed' })
    await change('PATCH', `dcim/devices/${device}/`, {
      position: 4,
      face: 'rear',
      tags: [],
      custom_fields: { owner_code: 'B' },
    })
    await change('POST', 'extras/config-contexts/', { name: 'dns', data: { dns: 'b' } })
    await change('POST', 'ipam/ip-addresses/', { address: '10.0.0.3/28' })
    await change('DELETE', `ipam/prefixes/${prefix}/`)
    await change('DELETE', `dcim/devices/${other}/`)
    await change('POST', 'ipam/vlans/', { name: 'W', vid: 2, group })
    await change('POST', 'ipam/ip-addresses/', { address: '10.1.0.1/24' })
    await change('POST', 'ipam/asns/', { asn: 65000, rir })
    await change('PATCH', `extras/custom-field-choice-sets/${choices}/`, {
      extra_choices: [['b', 'B']],
    })
    const { json } = await api.ask('GET', '/api/extras/export-templates/')
    await change('DELETE', `extras/export-templates/${json.results?.[0]?.id}/`)
  })
  afterAll(() => api.close())

  it.each(READS)('%s', async (path) => {
    expect(await read(path, `as_of=${time}`)).toBe(shown.get(path))
  })

  it('GraphQL', async () => {
    expect(await ask(`?as_of=${time}`)).toBe(shown.get('graphql'))
    expect(await ask()).not.toBe(shown.get('graphql'))
  })

  it.each(['search/?q=sw1', 'core/events/', 'core/background-tasks/', 'users/config/'])(
    'refuses %s, which has no past versions',
    async (path) => {
      const { status, json } = await api.ask('GET', `/api/${path}${path.includes('?') ? '&' : '?'}as_of=${time}`)
      expect(status).toBe(400)
      expect(json.as_of).toEqual([expect.stringMatching(/^Past versions/)])
    },
  )
})
