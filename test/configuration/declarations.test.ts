import { describe, expect, it } from 'vitest'
import { type Api, apiOfTest } from '../support/api.ts'

const made = async (api: Api, path: string, body: object): Promise<number> => {
  const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
  expect(status, text).toBe(201)
  return Number(json.id)
}

describe('settings that change declarations', () => {
  it.each([
    [{}, '2001:db8::1/64'],
    [{ PREFER_IPV4: 'true' }, '192.0.2.1/24'],
  ] as const)('%j: primary_ip of an object with both families is %s', async (environment, primary) => {
    const api = await apiOfTest(environment)
    const site = await made(api, 'dcim/sites', { name: 's', slug: 's' })
    const manufacturer = await made(api, 'dcim/manufacturers', { name: 'm', slug: 'm' })
    const device_type = await made(api, 'dcim/device-types', {
      manufacturer,
      model: 't',
      slug: 't',
    })
    const role = await made(api, 'dcim/device-roles', { name: 'r', slug: 'r' })
    const device = await made(api, 'dcim/devices', { name: 'd', site, device_type, role })
    const vm = await made(api, 'virtualization/virtual-machines', { name: 'v', site })
    const vdc = await made(api, 'dcim/virtual-device-contexts', {
      name: 'c',
      device,
      status: 'active',
    })
    const owners = [
      ['dcim/devices', device, 'dcim.interface', { device, type: 'other' }],
      ['virtualization/virtual-machines', vm, 'virtualization.vminterface', { virtual_machine: vm }],
    ] as const
    for (const [path, id, type, body] of owners) {
      const interfaces = type === 'dcim.interface' ? 'dcim/interfaces' : 'virtualization/interfaces'
      const port = await made(api, interfaces, { name: 'eth0', ...body })
      const assigned = { assigned_object_type: type, assigned_object_id: port }
      const vrf = await made(api, 'ipam/vrfs', { name: path })
      const address = (address: string) => made(api, 'ipam/ip-addresses', { address, vrf, ...assigned })
      const primary_ip4 = await address('192.0.2.1/24')
      const change = async (url: string, fields: object) => {
        const { json, text } = await api.ask('PATCH', url, { body: fields })
        return json.primary_ip?.address ?? text
      }
      expect(await change(`/api/${path}/${id}/`, { primary_ip4 })).toBe('192.0.2.1/24')
      const primary_ip6 = await address('2001:db8::1/64')
      expect(await change(`/api/${path}/${id}/`, { primary_ip6 })).toBe(primary)
      const listed = await api.ask('GET', `/api/${path}/?id=${id}`)
      expect(listed.json.results?.[0]?.primary_ip?.address).toBe(primary)
      if (path !== 'dcim/devices') continue
      const context = `/api/dcim/virtual-device-contexts/${vdc}/`
      expect(await change(context, { primary_ip4, primary_ip6 })).toBe(primary)
    }
  })

  it.each([
    [{}, { voltage: 120, amperage: 15, max_utilization: 80 }],
    [
      {
        POWERFEED_DEFAULT_VOLTAGE: '230',
        POWERFEED_DEFAULT_AMPERAGE: '16',
        POWERFEED_DEFAULT_MAX_UTILIZATION: '70',
      },
      { voltage: 230, amperage: 16, max_utilization: 70 },
    ],
  ])('%j: values of a new power feed are %j', async (environment, expected) => {
    const api = await apiOfTest(environment)
    const site = await made(api, 'dcim/sites', { name: 's', slug: 's' })
    const power_panel = await made(api, 'dcim/power-panels', { name: 'p', site })
    const { json } = await api.ask('POST', '/api/dcim/power-feeds/', {
      body: { name: 'f', power_panel },
    })
    expect(json).toMatchObject(expected)
    const given = { name: 'g', power_panel, voltage: 48, amperage: 10, max_utilization: 50 }
    const { json: other } = await api.ask('POST', '/api/dcim/power-feeds/', { body: given })
    expect(other).toMatchObject({ voltage: 48, amperage: 10, max_utilization: 50 })
  })
})
