import { execFileSync } from 'node:child_process'
import { accessSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pack from '../../packs/dhcp/pack.ts'
import { type Api, startApi } from '../support/api.ts'
import { directoryOfTest } from '../support/directory.ts'

let api: Api
let vrf = 0
beforeAll(async () => {
  api = await startApi({ PACKS: 'dhcp' })
  const pools = await api.make('ipam/roles', { name: 'DHCP', slug: 'dhcp' })
  await api.make('extras/tags', { name: 'Gateway', slug: 'gateway' })
  vrf = await api.make('ipam/vrfs', { name: 'Lab' })
  const site = await api.make('dcim/sites', { name: 'A', slug: 'a' })
  const role = await api.make('dcim/device-roles', { name: 'R', slug: 'r' })
  const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
  const device_type = await api.make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
  const device = await api.make('dcim/devices', { name: 'printer', site, role, device_type })
  const port = await api.make('dcim/interfaces', { device, name: 'eth0', type: 'virtual' })
  const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: port }
  const mac = await api.make('dcim/mac-addresses', { mac_address: '00:1B:44:11:3A:B7', ...assigned })
  await api.ask('PATCH', `/api/dcim/interfaces/${port}/`, { body: { primary_mac_address: mac } })
  for (const [prefix, more] of Object.entries({
    '10.0.0.0/16': { status: 'container' },
    '10.0.1.0/24': { description: 'Office' },
    '10.0.1.128/25': {},
    '10.0.2.0/24': {},
    '2001:db8:1::/64': {},
    '10.9.0.0/24': { vrf },
  })) {
    await api.make('ipam/prefixes', { prefix, ...more })
  }
  const range = (start: string, end: string, more: object = {}) =>
    api.make('ipam/ip-ranges', { start_address: start, end_address: end, role: pools, ...more })
  await range('10.0.1.20/24', '10.0.1.50/24')
  await range('10.0.1.200/25', '10.0.1.220/25')
  await range('10.0.2.20/24', '10.0.2.50/24', { role: null })
  await range('2001:db8:1::1000/64', '2001:db8:1::1fff/64')
  await range('10.9.0.20/24', '10.9.0.50/24', { vrf })
  for (const [address, more] of Object.entries({
    '10.0.1.1/24': { tags: [{ slug: 'gateway' }] },
    '10.0.1.129/25': { role: 'vrrp' },
    '10.0.1.60/24': { status: 'dhcp' },
    '10.0.1.61/24': { status: 'dhcp' },
    '10.0.1.30/24': { status: 'dhcp' },
    '10.0.1.10/24': { dns_name: 'printer.example.com', ...assigned },
    '10.0.1.11/24': assigned,
    '2001:db8:1::10/64': { dns_name: 'printer.example.com', ...assigned },
    '2001:db8:1::11/64': assigned,
  })) {
    await api.make('ipam/ip-addresses', { address, ...more })
  }
  const { json } = await api.ask('GET', '/api/core/packs/?name=dhcp')
  const body = { settings: { dns_servers: '10.0.0.53/24, nonsense, 2001:db8::53,', domain: 'example.com' } }
  expect((await api.ask('PATCH', `/api/core/packs/${json.results?.[0]?.id}/`, { body })).status).toBe(200)
})
afterAll(() => api.close())

const get = (path: string, headers = {}) => api.ask('GET', `/api/plugins/dhcp/${path}`, { headers })

describe('the configuration of Kea', () => {
  it('has pools from ranges and addresses, routers and reservations, in the smallest prefixes', async () => {
    const { json } = await get('kea4/')
    expect(json.Dhcp4?.['option-data']).toEqual([
      { name: 'domain-name-servers', data: '10.0.0.53' },
      { name: 'domain-name', data: 'example.com' },
    ])
    expect(json.Dhcp4?.subnet4).toEqual([
      {
        id: 2,
        subnet: '10.0.1.0/24',
        'user-context': { description: 'Office' },
        pools: [{ pool: '10.0.1.20 - 10.0.1.50' }, { pool: '10.0.1.60 - 10.0.1.61' }],
        'option-data': [{ name: 'routers', data: '10.0.1.1' }],
        reservations: [
          { 'hw-address': '00:1b:44:11:3a:b7', 'ip-address': '10.0.1.10', hostname: 'printer.example.com' },
        ],
      },
      {
        id: 3,
        subnet: '10.0.1.128/25',
        pools: [{ pool: '10.0.1.200 - 10.0.1.220' }],
        'option-data': [{ name: 'routers', data: '10.0.1.129' }],
        reservations: [],
      },
    ])
  })

  it('has all addresses of an interface in one reservation for IPv6', async () => {
    const { json } = await get('kea6/?part=subnets')
    expect(json).toEqual([
      {
        id: 5,
        subnet: '2001:db8:1::/64',
        pools: [{ pool: '2001:db8:1::1000 - 2001:db8:1::1fff' }],
        reservations: [
          {
            'hw-address': '00:1b:44:11:3a:b7',
            'ip-addresses': ['2001:db8:1::10', '2001:db8:1::11'],
            hostname: 'printer.example.com',
          },
        ],
      },
    ])
  })

  it.each([
    ['a VRF', () => `vrf_id=${vrf}`, ['10.9.0.0/24']],
    ['filters of prefixes', () => 'within_include=10.0.1.128/25', ['10.0.1.128/25']],
    ['nothing', () => 'prefix=10.0.2.0/24', []],
  ])('can be limited to %s', async (_name, query, expected) => {
    const { json } = await get(`kea4/?part=subnets&${query()}`)
    expect([...json].map(({ subnet }) => subnet)).toEqual(expected)
  })

  it('is sent again only if it has changed', async () => {
    const { headers } = await get('kea4/')
    const known = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await get('kea4/', known)).status).toBe(304)
    await api.make('ipam/ip-addresses', { address: '10.0.1.70/24', status: 'dhcp' })
    expect((await get('kea4/', known)).status).toBe(200)
  })

  it('is printed by a command, for the global table or a VRF', async () => {
    const print = async (...words: readonly string[]) => {
      const lines: string[] = []
      await pack.commands.kea4?.run({ service: api.service, words, print: (line) => lines.push(line) })
      return lines.join('\n')
    }
    expect(await print()).toBe((await get('kea4/')).text.trimEnd())
    expect(JSON.parse(await print('Lab')).Dhcp4.subnet4).toHaveLength(1)
    await expect(print('No')).rejects.toThrow('There is no VRF "No".')
  })

  it.runIf(['kea-dhcp4', 'kea-dhcp6'].every(isInstalled))('is accepted by Kea', async () => {
    for (const family of [4, 6]) {
      const file = join(directoryOfTest(), 'kea.json')
      writeFileSync(file, (await get(`kea${family}/`)).text)
      // Refusals are in the output and in the exit code.
      expect(() => execFileSync(`/usr/sbin/kea-dhcp${family}`, ['-t', file], { stdio: 'pipe' })).not.toThrow()
    }
  })
})

function isInstalled(program: string): boolean {
  try {
    accessSync(`/usr/sbin/${program}`)
    return true
  } catch {
    return false
  }
}
