import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** The specification lists this alias of `display` on devices, VLANs and the device of an address's interface. */
describe('the field display_name', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    const named = (name: string) => ({ name, slug: name })
    const onPort = { assigned_object_type: 'dcim.interface', assigned_object_id: 1 }
    const objects: readonly [string, object][] = [
      ['dcim/sites', named('here')],
      ['dcim/manufacturers', named('maker')],
      ['dcim/device-roles', named('role')],
      ['dcim/device-types', { manufacturer: 1, model: 'box', slug: 'box' }],
      ['dcim/devices', { name: 'one', site: 1, role: 1, device_type: 1 }],
      ['dcim/interfaces', { device: 1, name: 'eth0', type: 'other' }],
      ['ipam/vlans', { vid: 7, name: 'office' }],
      ['ipam/ip-addresses', { address: '192.0.2.1/24', ...onPort }],
      ['dcim/mac-addresses', { mac_address: '02:00:00:00:00:01', ...onPort }],
    ]
    for (const [path, body] of objects) {
      const { status, text } = await api.ask('POST', `/api/${path}/`, { body })
      expect(status, text).toBe(201)
    }
  })
  afterAll(() => api.close())

  const get = async (path: string) => (await api.ask('GET', `/api/${path}`)).json

  // path → whether the object has the alias
  const whole: readonly [string, string | undefined][] = [
    ['dcim/devices/1/', 'one'],
    ['ipam/vlans/1/', 'office (7)'],
    ['dcim/devices/1/?fields=id,display_name', 'one'],
    ['dcim/devices/1/?omit=display_name', undefined],
    ['dcim/devices/1/?brief=1', undefined],
    ['ipam/vlans/1/?brief=1', undefined],
    ['dcim/sites/1/', undefined],
  ]
  it.each(whole)('GET %s: %s', async (path, value) => {
    expect((await get(path)).display_name).toBe(value)
  })

  it('is part of lists and of the responses to writes', async () => {
    expect((await get('dcim/devices/')).results?.[0]?.display_name).toBe('one')
    const { json } = await api.ask('PATCH', '/api/ipam/vlans/1/', { body: { name: 'office' } })
    expect(json.display_name).toBe('office (7)')
  })

  it('is part of the device of an interface in an IP address, and of no other nested device', async () => {
    const address = await get('ipam/ip-addresses/1/')
    expect(Object.keys(address.assigned_object ?? {})).toEqual([
      'id',
      'url',
      'display',
      'device',
      'name',
      'description',
      'cable',
      '_occupied',
    ])
    expect(address.assigned_object?.device).toMatchObject({ display: 'one', display_name: 'one' })
    const others = [await get('dcim/interfaces/1/'), (await get('dcim/mac-addresses/1/')).assigned_object]
    for (const each of others) {
      expect(each?.device?.display).toBe('one')
      expect(each?.device).not.toHaveProperty('display_name')
    }
  })

  it('is described by OpenAPI and OPTIONS, as read-only', async () => {
    const schemas = (await get('schema/?format=json')).components?.schemas
    for (const name of ['DeviceWithConfigContext', 'VLAN']) {
      expect(schemas?.[name]?.properties?.display_name).toEqual({
        type: 'string',
        readOnly: true,
        description: 'Name for people',
      })
      expect(schemas?.[name]?.required).toContain('display_name')
    }
    expect(schemas?.BriefDevice?.properties).not.toHaveProperty('display_name')
    const { json } = await api.ask('OPTIONS', '/api/dcim/devices/')
    expect(json.actions?.POST?.display_name).toMatchObject({ read_only: true })
  })

  it('is ignored in a body', async () => {
    const body = { name: 'one', display_name: 'other' }
    const { json } = await api.ask('PATCH', '/api/dcim/devices/1/', { body })
    expect([json.display, json.display_name]).toEqual(['one', 'one'])
  })
})
