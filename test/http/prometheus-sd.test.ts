import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const ROOT = '/api/plugins/prometheus-sd'
/** Of a user who may view one device only. */
const TOKEN = 'fedcba9876543210fedcba9876543210fedcba98'

describe('service discovery for Prometheus', () => {
  let api: Api
  const ids: Record<string, number> = {}
  beforeAll(async () => {
    // Small pages, so that several are read.
    api = await startApi({ MAX_PAGE_SIZE: '2' })
    const make = async (path: string, body: object): Promise<number> => await api.make(path, body)
    await make('extras/custom-fields', { name: 'monitored', type: 'boolean', object_types: ['dcim.device'] })
    await make('extras/custom-fields', { name: 'extra', type: 'json', object_types: ['dcim.device'] })
    const site = await make('dcim/sites', { name: 'Amsterdam 1', slug: 'ams1' })
    const group = await make('tenancy/tenant-groups', { name: 'Customers', slug: 'customers' })
    const tenant = await make('tenancy/tenants', { name: 'Acme', slug: 'acme', group })
    const manufacturer = await make('dcim/manufacturers', { name: 'Juniper', slug: 'juniper' })
    const type = await make('dcim/device-types', { model: 'EX4300', slug: 'ex4300', manufacturer })
    const role = await make('dcim/device-roles', { name: 'Access Switch', slug: 'access' })
    const tag = await make('extras/tags', { name: 'Prod', slug: 'prod' })
    const rack = await make('dcim/racks', { name: 'R1', site })
    const device = { device_type: type, role, site }
    ids.first = await make('dcim/devices', {
      ...device,
      ...{ name: 'sw1.example.com', tenant, tags: [tag], rack, position: 3, face: 'front', description: 'Top of rack' },
      custom_fields: { monitored: true, extra: { a: [1, "it's", null] } },
      local_context_data: {
        'prometheus-plugin-prometheus-sd': [
          { port: 9100, metrics_path: '/node', scheme: 'https' },
          { port: 9115 },
          { comment: 'nothing of ours' },
        ],
      },
    })
    ids.second = await make('dcim/devices', { ...device, name: 'sw2.example.com', status: 'planned' })
    await make('dcim/devices', { ...device, name: null })
    const iface = await make('dcim/interfaces', { device: ids.first, name: 'me0', type: 'virtual' })
    const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: iface }
    ids.address = await make('ipam/ip-addresses', { address: '192.0.2.10/24', ...assigned, dns_name: 'a.example.com' })
    await make('ipam/ip-addresses', { address: '2001:db8::1/64', status: 'reserved', role: 'vip', tenant })
    await api.ask('PATCH', `/api/dcim/devices/${ids.first}/`, { body: { primary_ip4: ids.address } })
    const contactRole = await make('tenancy/contact-roles', { name: 'On call', slug: 'on-call' })
    const contact = await make('tenancy/contacts', { name: 'Jane', email: 'jane@example.com' })
    await make('tenancy/contact-assignments', {
      ...{ object_type: 'dcim.device', object_id: ids.first, contact, role: contactRole, priority: 'primary' },
    })
    await make('ipam/services', {
      ...{
        parent_object_type: 'dcim.device',
        parent_object_id: ids.first,
        name: 'ssh',
        protocol: 'tcp',
        ports: [22, 2222],
      },
      ipaddresses: [ids.address],
    })
    const clusterType = await make('virtualization/cluster-types', { name: 'KVM', slug: 'kvm' })
    const clusterGroup = await make('virtualization/cluster-groups', { name: 'West', slug: 'west' })
    const cluster = await make('virtualization/clusters', {
      ...{ name: 'c1', type: clusterType, group: clusterGroup, scope_type: 'dcim.site', scope_id: site },
    })
    await make('virtualization/virtual-machines', { name: 'vm1', cluster, tenant, status: 'active' })
    const user = await make('users/users', { username: 'prometheus', password: 'Corr3ct-Horse-Battery' })
    await make('users/permissions', {
      ...{ name: 'one device', object_types: ['dcim.device'], actions: ['view'], users: [user] },
      constraints: { name: 'sw1.example.com' },
    })
    await make('users/tokens', { user, key: TOKEN })
  })
  afterAll(() => api.close())

  const groups = async (path: string, token?: string) => {
    const { status, text, headers } = await api.ask('GET', `${ROOT}/${path}`, token === undefined ? {} : { token })
    expect(status, text).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    const list: { targets: string[]; labels: Record<string, string> }[] = JSON.parse(text)
    return list
  }

  it('devices are targets, one for each port in their config context', async () => {
    const list = await groups('devices/')
    expect(list.map(({ targets }) => targets)).toEqual([
      ['sw1.example.com:9100'],
      ['sw1.example.com:9115'],
      ['sw2.example.com'],
    ])
    expect(list[0]?.labels).toEqual({
      __metrics_path__: '/node',
      __scheme__: 'https',
      __meta_netbox_status: 'active',
      __meta_netbox_model: 'Device',
      __meta_netbox_name: 'sw1.example.com',
      __meta_netbox_id: String(ids.first),
      __meta_netbox_primary_ip: '192.0.2.10',
      __meta_netbox_primary_ip4: '192.0.2.10',
      __meta_netbox_description: 'Top of rack',
      __meta_netbox_tags: 'Prod',
      __meta_netbox_tag_slugs: 'prod',
      __meta_netbox_tenant: 'Acme',
      __meta_netbox_tenant_slug: 'acme',
      __meta_netbox_tenant_group: 'Customers',
      __meta_netbox_tenant_group_slug: 'customers',
      __meta_netbox_site: 'Amsterdam 1',
      __meta_netbox_site_slug: 'ams1',
      __meta_netbox_services: 'ssh',
      __meta_netbox_contact_primary_name: 'Jane',
      __meta_netbox_contact_primary_email: 'jane@example.com',
      __meta_netbox_contact_primary_role: 'On call',
      __meta_netbox_rack: 'R1',
      __meta_netbox_rack_u_position: '3.0',
      __meta_netbox_role: 'Access Switch',
      __meta_netbox_role_slug: 'access',
      __meta_netbox_device_type: 'EX4300',
      __meta_netbox_device_type_slug: 'ex4300',
      __meta_netbox_custom_field_monitored: 'True',
      __meta_netbox_custom_field_extra: "{'a': [1, 'it\\'s', None]}",
    })
    expect(list[2]?.labels).toMatchObject({
      __meta_netbox_status: 'planned',
      __meta_netbox_custom_field_monitored: 'None',
    })
  })

  it('filters of the API select the targets', async () => {
    expect((await groups('devices/?status=planned&limit=1')).map(({ targets }) => targets)).toEqual([
      ['sw2.example.com'],
    ])
    expect((await groups('devices/?tag=prod')).length).toBe(2)
    expect((await api.ask('GET', `${ROOT}/devices/?status=nonsense`)).status).toBe(400)
  })

  it('virtual machines, services and addresses have their labels', async () => {
    const [machine] = await groups('virtual-machines/')
    expect(machine).toMatchObject({
      targets: ['vm1'],
      labels: {
        __meta_netbox_model: 'VirtualMachine',
        __meta_netbox_cluster: 'c1',
        __meta_netbox_cluster_group: 'West',
        __meta_netbox_cluster_type: 'KVM',
        __meta_netbox_scope: 'Amsterdam 1',
        __meta_netbox_scope_slug: 'ams1',
        __meta_netbox_tenant_group: 'Customers',
      },
    })
    const [service] = await groups('services/')
    expect(service).toMatchObject({
      targets: ['ssh'],
      labels: {
        __meta_netbox_ports: '22,2222',
        __meta_netbox_ipaddresses: '192.0.2.10',
        __meta_netbox_parent: 'sw1.example.com',
        __meta_netbox_primary_ip: '192.0.2.10',
        __meta_netbox_contact_primary_name: 'Jane',
      },
    })
    expect(await groups('ip-addresses/')).toMatchObject([
      { targets: ['a.example.com'], labels: { __meta_netbox_ip: '192.0.2.10', __meta_netbox_model: 'IPAddress' } },
      { targets: ['2001:db8::1'], labels: { __meta_netbox_role: 'vip', __meta_netbox_tenant: 'Acme' } },
    ])
  })

  it('a token sees the targets and labels that its user may view', async () => {
    const list = await groups('devices/', TOKEN)
    expect(list.map(({ targets }) => targets)).toEqual([['sw1.example.com:9100'], ['sw1.example.com:9115']])
    expect(list[0]?.labels).not.toHaveProperty('__meta_netbox_services')
    expect(list[0]?.labels).not.toHaveProperty('__meta_netbox_contact_primary_email')
    expect((await api.ask('GET', `${ROOT}/ip-addresses/`, { token: TOKEN })).status).toBe(403)
    expect((await api.ask('GET', `${ROOT}/devices/`, { token: null })).status).toBe(403)
    expect((await api.ask('POST', `${ROOT}/devices/`, { body: {} })).status).toBe(405)
  })
})
