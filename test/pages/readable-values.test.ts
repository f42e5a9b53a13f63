import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'

/** Text of a page without its markup. */
const textOf = (page: string): string => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

describe('values on pages', () => {
  let api: Api
  let device: number
  const made = (path: string, body: object) => createdId(api, path, body)
  const named = (name: string) => ({ name, slug: name })
  const shown = async (path: string) => textOf(await readPage(api, path))
  beforeAll(async () => {
    api = await startApi()
    const manufacturer = await made('dcim/manufacturers', named('maker'))
    device = await made('dcim/devices', {
      name: 'r1',
      site: await made('dcim/sites', named('s')),
      role: await made('dcim/device-roles', named('router')),
      device_type: await made('dcim/device-types', { manufacturer, model: 'm', slug: 'm' }),
    })
    await api.ask('PATCH', '/api/users/config/', {
      body: { tables: { InterfaceTable: { columns: ['name', 'speed'] } } },
    })
  })
  afterAll(() => api.close())

  it.each([
    [64, '64 kbps'],
    [2048, '2.048 Mbps'],
    [25_000_000, '25 Gbps'],
    [3_200_000_000, '3.2 Tbps'],
  ])('show %i kbps in a readable unit', async (speed, text) => {
    const port = await made('dcim/interfaces', { device, name: `p${speed}`, type: 'other', speed })
    expect(await shown(`/dcim/interfaces/${port}/`)).toContain(` Speed ${text} `)
    expect(await shown(`/dcim/interfaces/?name=p${speed}`)).toContain(` ${text} `)
    // The form takes speeds with any unit, and the number of the API.
    expect(await shown(`/dcim/interfaces/${port}/edit/`)).toContain('a number alone is in Kbps')
  })

  it('show the rates of circuits and their terminations in readable units', async () => {
    const provider = await made('circuits/providers', named('p'))
    const type = await made('circuits/circuit-types', named('t'))
    const circuit = await made('circuits/circuits', { cid: 'c', provider, type, commit_rate: 1_500_000 })
    const site = await made('dcim/sites', named('s2'))
    const termination = await made('circuits/circuit-terminations', {
      ...{ circuit, term_side: 'A', termination_type: 'dcim.site', termination_id: site },
      ...{ port_speed: 10_000_000, upstream_speed: 500_000 },
    })
    expect(await shown(`/circuits/circuits/${circuit}/`)).toContain(' Commit rate 1.5 Gbps ')
    const page = await shown(`/circuits/circuit-terminations/${termination}/`)
    expect(page).toContain(' Port speed 10 Gbps ')
    expect(page).toContain(' Upstream speed 500 Mbps ')
  })

  it('show the NAT addresses of the addresses of a device and of a virtual machine', async () => {
    const port = await made('dcim/interfaces', { device, name: 'e0', type: 'other' })
    const machine = await made('virtualization/virtual-machines', { name: 'vm', site: 1 })
    const machinePort = await made('virtualization/interfaces', { virtual_machine: machine, name: 'eth0' })
    const on = (type: string, id: number) => ({ assigned_object_type: type, assigned_object_id: id })
    const inner = await made('ipam/ip-addresses', { address: '10.0.0.1/24', ...on('dcim.interface', port) })
    const atMachine = on('virtualization.vminterface', machinePort)
    const outer = await made('ipam/ip-addresses', { address: '192.0.2.1/24', nat_inside: inner, ...atMachine })
    const oob = await made('ipam/ip-addresses', { address: '10.0.0.2/24', ...on('dcim.interface', port) })
    await made('ipam/ip-addresses', { address: '192.0.2.2/24', nat_inside: oob })
    await api.ask('PATCH', `/api/dcim/devices/${device}/`, { body: { primary_ip4: inner, oob_ip: oob } })
    await api.ask('PATCH', `/api/virtualization/virtual-machines/${machine}/`, { body: { primary_ip4: outer } })
    const page = await shown(`/dcim/devices/${device}/`)
    expect(page).toContain('10.0.0.1/24 e0 NAT: 192.0.2.1/24 ')
    expect(page).toContain('10.0.0.2/24 e0 NAT: 192.0.2.2/24 ')
    expect(await shown(`/virtualization/virtual-machines/${machine}/`)).toContain(
      '192.0.2.1/24 eth0 NAT for 10.0.0.1/24 ',
    )
  })
})
