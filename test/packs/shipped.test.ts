import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'
import { SHIPPED_PACKS } from '../support/own-models.ts'

let api: Api
let made: Readonly<Record<string, number>> = {}

beforeAll(async () => {
  api = await startApi({ PACKS: SHIPPED_PACKS.join(',') })
  const site = await api.make('dcim/sites', { name: 'Site', slug: 'site' })
  const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const role = await api.make('dcim/device-roles', { name: 'Router', slug: 'router' })
  const deviceType = await api.make('dcim/device-types', { manufacturer, model: 'M1', slug: 'm1' })
  const device = await api.make('dcim/devices', { name: 'r1', site, role, device_type: deviceType })
  const port = await api.make('dcim/interfaces', { device, name: 'eth0', type: 'virtual' })
  const rir = await api.make('ipam/rirs', { name: 'RIR', slug: 'rir' })
  const asn = await api.make('ipam/asns', { asn: 64_512, rir })
  const address = await api.make('ipam/ip-addresses', { address: '192.0.2.1/24' })
  const other = await api.make('ipam/ip-addresses', { address: '192.0.2.2/24' })
  const prefix = await api.make('ipam/prefixes', { prefix: '192.0.2.0/24' })
  const provider = await api.make('circuits/providers', { name: 'Provider', slug: 'provider' })
  made = { site, manufacturer, role, deviceType, device, port, asn, address, other, prefix, provider }
})
afterAll(() => api.close())

const post = async (path: string, body: object) => await api.ask('POST', `/api/plugins/${path}/`, { body })
const patch = async (path: string, body: object) => await api.ask('PATCH', `/api/plugins/${path}/`, { body })
const refusal = (answer: { readonly status: number; readonly json: Document }) => [answer.status, answer.json]

describe('access lists', () => {
  it('keep type and family as long as they have rules', async () => {
    const list = await api.make('plugins/access-lists/access-lists', { name: 'in', type: 'standard', family: 'ipv4' })
    const path = `access-lists/access-lists/${list}`
    expect((await patch(path, { family: 'ipv6' })).status).toBe(200)
    const rule = { access_list: list, sequence: 10, action: 'permit' }
    const id = await api.make('plugins/access-lists/standard-acl-rules', rule)
    expect(refusal(await patch(path, { family: 'ipv4', type: 'extended' }))).toEqual([
      400,
      {
        type: ['The type cannot be changed while the list has rules.'],
        family: ['The family cannot be changed while the list has rules.'],
      },
    ])
    expect((await patch(path, { description: 'Edge' })).json.rule_count).toBe(1)
    await api.ask('DELETE', `/api/plugins/access-lists/standard-acl-rules/${id}/`)
    expect((await patch(path, { family: 'ipv4' })).status).toBe(200)
  })

  it('are assigned once for each interface, direction and family, also within one request', async () => {
    const lists = await Promise.all(
      (['ipv4', 'ipv6', 'dual'] as const).map((family) =>
        api.make('plugins/access-lists/access-lists', { name: `acl ${family}`, type: 'extended', family }),
      ),
    )
    const [v4, v6, dual] = lists
    const to = (access_list: number | undefined, direction: string) => ({
      ...{ access_list, direction, assigned_object_type: 'dcim.interface', assigned_object_id: made.port },
    })
    const path = 'access-lists/assignments'
    expect((await post(path, [to(v4, 'ingress'), to(dual, 'ingress')])).status).toBe(400)
    expect((await post(path, [to(v4, 'ingress'), to(v6, 'ingress'), to(dual, 'egress')])).status).toBe(201)
    expect((await post(path, to(dual, 'ingress'))).status).toBe(400)
    expect((await post(path, to(v4, 'none'))).json).toEqual({
      direction: ['An assignment to an interface needs a direction, ingress or egress.'],
    })
    const host = {
      access_list: v4,
      direction: 'ingress',
      assigned_object_type: 'dcim.device',
      assigned_object_id: made.device,
    }
    expect((await post(path, host)).json.direction).toBe('none')
  })

  it('have ports of TCP and UDP only, also as texts', async () => {
    const access_list = await api.make('plugins/access-lists/access-lists', { name: 'ports', type: 'extended' })
    const rule = {
      access_list,
      action: 'permit',
      destination_port_ranges: [
        [80, 80],
        [8000, 8080],
      ],
    }
    const path = 'access-lists/extended-acl-rules'
    expect((await post(path, { ...rule, sequence: 1, protocol: 'icmp' })).json).toEqual({
      destination_port_ranges: ['Ports can only be set if the protocol is TCP or UDP.'],
    })
    const { json } = await post(path, { ...rule, sequence: 1, protocol: 'tcp' })
    expect([json.destination_port_terms, json.source_port_terms]).toEqual([['80', '8000-8080'], []])
    expect((await post(path, { access_list, sequence: 2, action: 'remark' })).json).toEqual({
      remark: ['A remark needs a text, and only a remark has one.'],
    })
  })
})

describe('BGP sessions', () => {
  const session = (more: object) => ({
    ...{ local_address: made.address, local_as: made.asn, remote_as: made.asn, remote_address: made.other, ...more },
  })

  it.each([
    ['two remotes', () => ({ remote_prefix: made.prefix }), '__all__'],
    ['no remote', () => ({ remote_address: null }), '__all__'],
    ['no address', () => ({ local_address: null }), 'local_address'],
    ['an unknown status', () => ({ status: 'gone' }), 'status'],
  ])('with %s are refused', async (_what, more, field) => {
    const { status, json } = await post('bgp/session', session(more()))
    expect([status, Object.keys(json)]).toEqual([400, [field]])
  })

  it('are named by device and name, or by the neighbour, and found by their addresses', async () => {
    const { json } = await post('bgp/session', session({ device: made.device, name: 'Transit' }))
    expect([json.display, json.status]).toEqual(['r1:Transit', { value: 'active', label: 'Active' }])
    expect((await post('bgp/bgpsession', session({}))).json.display).toBe('192.0.2.2/24:AS64512')
    for (const query of [
      'by_remote_address=192.0.2.2/24',
      'device=r1',
      'remote_as=64512',
      `device_id=${made.device}`,
    ]) {
      const { json: found } = await api.ask('GET', `/api/plugins/bgp/session/?${query}&name=Transit`)
      expect([query, found.count]).toEqual([query, 1])
    }
    for (const [parameter, value] of [
      ['remote_prefix', '192.0.2.0/24'],
      ['remote_prefix', '192.0.2.1/24'],
      ['remote_prefix', 'x'],
      ['local_address', 'x'],
      ['local_as', '1.5'],
      ['by_remote_prefix', 'x'],
    ]) {
      const { status, text } = await api.ask('GET', `/api/plugins/bgp/session/?${parameter}=${value}`)
      expect([200, 400], text).toContain(status)
    }
    const again = await post('bgp/session', session({ device: made.device }))
    expect(again.status).toBe(400)
  })
})

describe('contracts', () => {
  it('give their lines currency and term, and sum them up', async () => {
    const contract = await api.make('plugins/contracts/contracts', {
      ...{ name: 'Transit', internal_party: 'Default entity', currency: 'eur', billable: true },
      ...{ start_date: '2026-01-01', end_date: '2027-12-31' },
      ...{ external_party_object_type: 'circuits.provider', external_party_object_id: made.provider },
    })
    const unit = await api.make('plugins/contracts/units', { name: 'Month', billing_method: 'recurring', months: 1 })
    const line = { contract, unit, description: 'Port', unit_price: '10.50', quantity: 2 }
    const { json } = await post('contracts/contract-lines', line)
    expect([json.currency, json.start_date, json.end_date, json.total_value, json.yearly_value]).toEqual([
      'eur',
      '2026-01-01',
      '2027-12-31',
      504,
      252,
    ])
    expect((await post('contracts/contract-lines', { ...line, currency: 'usd' })).json).toEqual({
      currency: ['The currency of a line is that of its contract.'],
    })
    const sums = (await api.ask('GET', `/api/plugins/contracts/contracts/${contract}/`)).json
    expect([sums.total_contract_value, sums.yearly_contract_value, sums.yearly_billable_value]).toEqual([504, 252, 252])
    const body = { effective_date: '2027-01-01', unit_price: 12, reason: 'Price list of 2027' }
    const amended = await post(`contracts/contract-lines/${json.id}/amend`, body)
    expect([amended.status, amended.json.start_date, amended.json.replaces?.id]).toEqual([201, '2027-01-01', json.id])
    const ended = (await api.ask('GET', `/api/plugins/contracts/contract-lines/${json.id}/`)).json
    expect(ended.end_date).toBe('2026-12-31')
    const late = await post(`contracts/contract-lines/${json.id}/amend`, { ...body, effective_date: '2030-01-01' })
    expect(refusal(late)).toEqual([400, { effective_date: ['The date has to be within the term of the line.'] }])
  })

  it('let people amend lines who may add and change them', async () => {
    const user = await api.make('users/users', { username: 'clerk', password: 'Sufficient-1' })
    const token = '89abcdef0123456789abcdef0123456789abcdef'
    await api.make('users/tokens', { user, key: token })
    const [line] =
      (await api.ask('GET', '/api/plugins/contracts/contract-lines/?end_date__isnull=false&limit=1')).json.results ?? []
    const body = { effective_date: String(line?.end_date), unit_price: 13, reason: 'Last day' }
    const amend = async () =>
      (await api.ask('POST', `/api/plugins/contracts/contract-lines/${line?.id}/amend/`, { body, token })).status
    expect(await amend()).toBe(403)
    const object_types = ['netbox_contract.contractline']
    await api.make('users/permissions', {
      name: 'Lines',
      object_types,
      actions: ['view', 'add', 'change'],
      users: [user],
    })
    expect(await amend()).toBe(201)
  })
})

describe('assets', () => {
  it('are used while they are hardware, and in store again when it is deleted', async () => {
    const supplier = await api.make('plugins/inventory/suppliers', { name: 'Supplier', slug: 'supplier' })
    const purchase = await api.make('plugins/inventory/purchases', { supplier, name: 'P-1' })
    const delivery = await api.make('plugins/inventory/deliveries', { purchase, name: 'D-1' })
    const body = { status: 'stored', device_type: made.deviceType, serial: 'S1', delivery }
    const id = await api.make('plugins/inventory/assets', body)
    const asset = async () => (await api.ask('GET', `/api/plugins/inventory/assets/${id}/`)).json
    const device = await api.make('dcim/devices', {
      ...{ name: 'r2', site: made.site, role: made.role, device_type: made.deviceType },
    })
    const { json } = await patch(`inventory/assets/${id}`, { device })
    expect([json.status, json.kind, json.purchase?.name]).toEqual(['used', 'device', 'P-1'])
    expect((await api.ask('DELETE', `/api/dcim/devices/${device}/`)).status).toBe(204)
    expect([(await asset()).status, (await asset()).device]).toEqual(['stored', null])
    const { json: changes } = await api.ask(
      'GET',
      `/api/core/object-changes/?changed_object_type=netbox_inventory.asset`,
    )
    expect(changes.count).toBe(3)
    expect((await post('inventory/assets', { status: 'stored' })).status).toBe(400)
    expect((await post('inventory/assets', body)).status).toBe(400)
  })
})

describe('the life cycle', () => {
  it('has one set of dates for each type of hardware', async () => {
    const body = {
      assigned_object_type: 'dcim.devicetype',
      assigned_object_id: made.deviceType,
      end_of_sale: '2027-01-01',
    }
    expect((await post('lifecycle/hardwarelifecycle', body)).status).toBe(201)
    expect((await post('lifecycle/hardwarelifecycle', body)).status).toBe(400)
    const site = { ...body, assigned_object_type: 'dcim.site', assigned_object_id: made.site }
    expect((await post('lifecycle/hardwarelifecycle', site)).status).toBe(400)
  })

  it('assigns a contract to something, once', async () => {
    const vendor = await api.make('plugins/lifecycle/vendor', { name: 'Vendor' })
    const contract = await api.make('plugins/lifecycle/supportcontract', { vendor, contract_id: 'C-1' })
    const path = 'lifecycle/supportcontractassignment'
    expect((await post(path, { contract })).status).toBe(400)
    const { json } = await post(path, { contract, device: made.device })
    expect(json.display).toBe('r1: C-1')
    expect((await post(path, { contract, device: made.device })).status).toBe(400)
  })
})
