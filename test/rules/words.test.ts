import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ API_VERSION: '4.7' })
})
afterAll(() => api.close())

const findings = async (): Promise<readonly string[]> => {
  await api.background.runUntilIdle()
  const { json } = await api.ask('GET', '/api/extras/findings/?limit=0')
  return (json.results ?? []).map(({ rule, object }) => `${rule?.name}: ${object?.display}`).toSorted()
}
const rule = (name: string, object_type: string, expression: string) =>
  api.make('extras/rules', { name, object_type, expression, message: 'Wrong' })
const change = async (path: string, body: object): Promise<void> => {
  const { status, text } = await api.ask('PATCH', `/api/${path}/`, { body })
  expect(status, text).toBe(200)
}

describe('rules about what a prefix contains', () => {
  it('follow addresses and prefixes that come, move and go, in the same VRF', async () => {
    await rule('Used', 'ipam.prefix', 'count(contained_ip_addresses) > 0')
    await rule('Inside', 'ipam.ipaddress', 'any(containing_prefixes)')
    await rule('Flat', 'ipam.prefix', 'not any(contained_prefixes)')
    const vrf = await api.make('ipam/vrfs', { name: 'V' })
    const prefix = await api.make('ipam/prefixes', { prefix: '10.0.0.0/24' })
    expect(await findings()).toEqual(['Used: 10.0.0.0/24'])
    const address = await api.make('ipam/ip-addresses', { address: '10.0.0.1/24' })
    expect(await findings()).toEqual([])
    await change(`ipam/ip-addresses/${address}`, { address: '10.0.1.1/24' })
    expect(await findings()).toEqual(['Inside: 10.0.1.1/24', 'Used: 10.0.0.0/24'])
    await change(`ipam/ip-addresses/${address}`, { address: '10.0.0.2/24' })
    expect(await findings()).toEqual([])
    await change(`ipam/ip-addresses/${address}`, { vrf })
    expect(await findings()).toEqual(['Inside: 10.0.0.2/24', 'Used: 10.0.0.0/24'])
    await change(`ipam/prefixes/${prefix}`, { vrf })
    expect(await findings()).toEqual([])
    const inner = await api.make('ipam/prefixes', { prefix: '10.0.0.0/25', vrf })
    // The length of the address's own prefix does not matter.
    expect(await findings()).toEqual(['Flat: 10.0.0.0/24'])
    await change(`ipam/prefixes/${inner}`, { prefix: '10.0.9.0/25' })
    expect(await findings()).toEqual(['Used: 10.0.9.0/25'])
    await api.ask('DELETE', `/api/ipam/prefixes/${prefix}/`)
    expect(await findings()).toEqual(['Inside: 10.0.0.2/24', 'Used: 10.0.9.0/25'])
    await api.ask('DELETE', `/api/ipam/ip-addresses/${address}/`)
    expect(await findings()).toEqual(['Used: 10.0.9.0/25'])
  })
})

/** An object of each kind, and the value of an expression for it. */
describe('expressions', () => {
  const objects: Readonly<Record<string, () => Promise<number>>> = {
    'ipam.prefix': () => api.make('ipam/prefixes', { prefix: '192.168.0.0/23' }),
    'ipam.service': async () => {
      const body = { name: 'S', parent_object_type: 'dcim.device', parent_object_id: await device() }
      return await api.make('ipam/services', { ...body, port_mappings: ['tcp/22', 'udp/161'] })
    },
    'dcim.device': () => device(),
    'dcim.site': () => api.make('dcim/sites', { name: 'Any', slug: 'any' }),
  }
  const ids = new Map<string, Promise<number>>()
  const device = async (): Promise<number> => {
    devices ??= (async () => {
      const site = await api.make('dcim/sites', { name: 'S', slug: 's' })
      const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
      const device_type = await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
      const role = await api.make('dcim/device-roles', { name: 'R', slug: 'r' })
      const local_context_data = { ntp: { servers: ['a', 'b'], count: 2, none: null }, text: 'x' }
      return await api.make('dcim/devices', { name: 'D', site, role, device_type, local_context_data })
    })()
    return await devices
  }
  let devices: Promise<number> | undefined

  it.each<[string, string, string, unknown]>([
    ['ipam.prefix', 'the number of addresses', 'address_count(prefix)', 512],
    ['ipam.prefix', 'the number of addresses of a text', "address_count('2001:db8::/64')", 18446744073709552000],
    ['ipam.service', 'a list that includes a value', "includes(port_mappings, 'tcp/80', 'udp/161')", true],
    ['ipam.service', 'a list that does not', "includes(port_mappings, 'tcp/80')", false],
    ['ipam.service', 'a list of numbers', 'includes(ports, 22)', false],
    ['dcim.device', 'a value in JSON', "json(local_context_data, 'text')", 'x'],
    ['dcim.device', 'a list in JSON', "json(local_context_data, 'ntp.servers')", '["a", "b"]'],
    ['dcim.device', 'an item in JSON', "json(local_context_data, 'ntp.servers.1')", 'b'],
    ['dcim.device', 'a number in JSON', "number(json(local_context_data, 'ntp.count')) + 1", 3],
    ['dcim.device', 'a null in JSON', "json(local_context_data, 'ntp.none') = null", true],
    ['dcim.device', 'a missing key', "json(local_context_data, 'ntp.other.deep')", null],
    ['dcim.device', 'all of it', `contains(json(local_context_data), '"servers": ["a"')`, true],
  ])('%s: %s', async (object_type, _what, expression, expected) => {
    const id = ids.get(object_type) ?? objects[object_type]?.()
    if (id) ids.set(object_type, id)
    const body = { object_type, expression, object_id: await id }
    const { json } = await api.ask('POST', '/api/extras/computed-fields/check/', { body })
    expect(json).toMatchObject({ valid: true, values: [{ value: expected }] })
  })

  it.each([
    ['dcim.site', 'json(name)', 'name is no JSON field.'],
    ['dcim.site', 'json(tenant)', 'tenant is no JSON field.'],
    ['dcim.device', 'json(local_context_data, 1)', 'takes a JSON field, and perhaps keys in quotes.'],
    ['dcim.site', "includes(name, 'a')", 'name is no list that expressions can read.'],
    ['ipam.service', 'includes(port_mappings)', 'takes a field with a list, and values.'],
    ['ipam.service', 'includes(port_mappings, 1)', 'All values must have one type'],
    ['dcim.site', 'address_count(name)', 'name is not an address.'],
    ['dcim.site', 'count(contained_ip_addresses)', 'is no relation to several objects.'],
    ['ipam.ipaddress', 'count(contained_prefixes)', 'is no relation to several objects.'],
  ])('%s: %s is refused', async (object_type, expression, message) => {
    const body = { object_type, expression }
    const { json, text } = await api.ask('POST', '/api/extras/computed-fields/check/', { body })
    expect(json, text).toMatchObject({ valid: false, error: { message: expect.stringContaining(message) } })
  })
})
