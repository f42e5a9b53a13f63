import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'

const TERMINATIONS = 'vpn/tunnel-terminations'

/** Objects at which a tunnel ends: interfaces, and the devices and virtual machines as a whole. */
describe('a tunnel', () => {
  let api: Api
  let browser: Browser
  let tunnel: number
  const peers: number[] = []
  const ids: Record<string, number> = {}
  beforeAll(async () => {
    api = await startApi()
    browser = new Browser(api.url)
    await browser.logIn('admin', 'admin')
    const site = await api.make('dcim/sites', { name: 'Amsterdam', slug: 'ams' })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
    const device_type = await api.make('dcim/device-types', { manufacturer, model: 'X', slug: 'x' })
    const role = await api.make('dcim/device-roles', { name: 'Role', slug: 'role' })
    const device = await api.make('dcim/devices', { name: 'gateway', site, device_type, role })
    const machine = await api.make('virtualization/virtual-machines', { name: 'router', site })
    ids['dcim.device'] = device
    ids['virtualization.virtualmachine'] = machine
    ids['dcim.interface'] = await api.make('dcim/interfaces', { name: 'xe-0', type: 'virtual', device })
    ids['virtualization.vminterface'] = await api.make('virtualization/interfaces', {
      ...{ name: 'eth0', virtual_machine: machine },
    })
    ids['dcim.site'] = site
    tunnel = await api.make('vpn/tunnels', { name: 'T', status: 'active', encapsulation: 'gre' })
  })
  afterAll(() => api.close())

  const terminate = (termination_type: string) =>
    api.ask('POST', `/api/${TERMINATIONS}/`, {
      body: { tunnel, role: 'peer', termination_type, termination_id: ids[termination_type] },
    })

  it.each([
    ['dcim.interface', 'xe-0', 'InterfaceType'],
    ['virtualization.vminterface', 'eth0', 'VMInterfaceType'],
    ['virtualization.virtualmachine', 'router', 'VirtualMachineType'],
    ['dcim.device', 'gateway', 'DeviceType'],
  ])('ends at an object of the type %s', async (type, name, graphqlType) => {
    const { status, json, text } = await terminate(type)
    expect([status, json.termination], text).toMatchObject([201, { id: ids[type], name }])
    const list = await api.ask('GET', `/api/${TERMINATIONS}/?termination_type=${type}`)
    expect(list.json.results?.map(({ id }) => id)).toEqual([json.id])
    const query = `{tunnel_termination(id: ${json.id}) {termination {__typename ... on ${graphqlType} {name}}}}`
    const answer = await api.ask('POST', '/graphql/', { body: { query } })
    expect(answer.json.data, answer.text).toEqual({
      tunnel_termination: { termination: { __typename: graphqlType, name } },
    })
    for (const path of ['', 'edit/']) {
      const page = await browser.visit(`/${TERMINATIONS}/${json.id}/${path}`)
      expect([page.status, page.text.includes(name)]).toEqual([200, true])
      // A list of the tunnel's terminations at the other ends.
      if (path === '') for (const peer of peers) expect(page.text).toContain(`/${TERMINATIONS}/${peer}/`)
    }
    peers.push(Number(json.id))
    const second = await terminate(type)
    expect([second.status, Object.keys(second.json).sort()]).toEqual([400, ['__all__', 'termination']])
  })

  it('is removed from a device that is deleted', async () => {
    await api.ask('DELETE', `/api/dcim/devices/${ids['dcim.device']}/`)
    const { json } = await api.ask('GET', `/api/${TERMINATIONS}/`)
    expect(json.results?.map(({ termination_type }) => String(termination_type)).sort()).toEqual([
      ...['virtualization.virtualmachine', 'virtualization.vminterface'],
    ])
  })

  it.each(['dcim.site', 'auth.permission', 'core.job'])('does not end at an object of the type %s', async (type) => {
    const { status, json } = await terminate(type)
    expect([status, Object.keys(json)]).toEqual([400, ['termination_type']])
  })
})
