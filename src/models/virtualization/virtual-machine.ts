import { choices } from '../../schema/choices.ts'
import { comments, description, owner, PRIMARY, tenantOptions, timestamps } from '../../schema/common.ts'
import { choice, counter, customFields, decimal, foreignKey, integer, json, tags, text } from '../../schema/field.ts'
import { byIdAnd, hardwareAddressFilter, present, related, relatedTree, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { configContextOf } from '../extras/config-context-of.ts'
import { leadsToHost } from '../ipam/address-search.ts'
import { hasPrimaryAddress, primaryAddresses } from '../ipam/primary-address.ts'

const virtualMachineStatus = choices([
  ['offline', 'Offline', 'gray'],
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['staged', 'Staged', 'blue'],
  ['failed', 'Failed', 'red'],
  ['decommissioning', 'Decommissioning', 'yellow'],
  ['paused', 'Paused', 'orange'],
])

const virtualMachineStartOnBoot = choices([
  ['on', 'On', 'green'],
  ['off', 'Off', 'gray'],
  ['laststate', 'Last State', 'cyan'],
])

/** A machine that a cluster or a device runs. */
export const virtualMachine = model({
  name: 'virtualization.virtualmachine',
  path: 'virtualization/virtual-machines',
  labels: ['virtual machine', 'virtual machines'],
  about: 'A guest of a cluster, of a device or of a site, with its interfaces and disks.',

  fields: {
    name: text({ max: 64, collation: 'natural' }),
    virtual_machine_type: foreignKey('virtualization.virtualmachinetype', {
      related: 'instances',
      nullable: true,
      resetOnPut: true,
    }),
    role: foreignKey('dcim.devicerole', { related: 'virtual_machines', nullable: true }),
    status: choice(virtualMachineStatus, { default: 'active' }),
    start_on_boot: choice(virtualMachineStartOnBoot, { default: 'off', max: 32 }),
    site: foreignKey('dcim.site', {
      example: 'dcim.site',
      related: 'virtual_machines',
      nullable: true,
      resetOnPut: true,
    }),
    cluster: foreignKey('virtualization.cluster', {
      related: 'virtual_machines',
      nullable: true,
      resetOnPut: true,
    }),
    device: foreignKey('dcim.device', {
      related: 'virtual_machines',
      nullable: true,
      resetOnPut: true,
    }),
    platform: foreignKey('dcim.platform', { onDelete: 'setNull', related: 'virtual_machines' }),
    ...primaryAddresses,
    vcpus: decimal({
      digits: 6,
      places: 2,
      range: [0.01, 9999.99],
      nullable: true,
      label: 'VCPUs',
    }),
    memory: integer({ unit: 'MB', range: [0, 2147483647], nullable: true }),
    disk: integer({ unit: 'MB', range: [0, 2147483647], nullable: true }),
    description,
    serial: text({ max: 50, default: '', label: 'Serial number' }),
    tenant: foreignKey('tenancy.tenant', {
      ...tenantOptions,
      related: 'virtual_machines',
      resetOnPut: true,
    }),
    owner,
    comments,
    tags: tags(),
    local_context_data: json({ nullable: true }),
    config_template: foreignKey('extras.configtemplate', {
      related: 'virtualmachines',
      nullable: true,
      resetOnPut: true,
    }),
    custom_fields: customFields(),
    ...timestamps,
    interface_count: counter('virtualization.vminterface', 'virtual_machine'),
    virtual_disk_count: counter('virtualization.virtualdisk', 'virtual_machine'),
    config_context: configContextOf('virtualization.virtualmachine'),
  },

  graphql: { enums: { start_on_boot: ['VirtualMachineStartOnBootEnum', 'START_ON_BOOT'] } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name', 'id'],
  search: ['name', 'description', 'comments', 'serial', leadsToHost('primary_ip4', 'primary_ip6')],
  unique: [
    { fields: ['name', 'cluster', 'tenant'], ignoreCase: ['name'] },
    { fields: ['name', 'cluster'], ignoreCase: ['name'], whereNull: ['tenant'] },
    {
      fields: ['name', 'device', 'tenant'],
      ignoreCase: ['name'],
      whereNull: ['cluster'],
      whereNotNull: ['device'],
    },
    {
      fields: ['name', 'device'],
      ignoreCase: ['name'],
      whereNull: ['cluster', 'tenant'],
      whereNotNull: ['device'],
    },
  ],

  filters: {
    cluster: related('cluster', 'virtualization.cluster', 'name'),
    local_context_data: present('local_context_data'),
    primary_ip4: related('primary_ip4', 'ipam.ipaddress', 'address'),
    primary_ip6: related('primary_ip6', 'ipam.ipaddress', 'address'),
    ...byIdAnd('slug', 'cluster_group', related('cluster.group', 'virtualization.clustergroup')),
    ...byIdAnd('slug', 'cluster_type', related('cluster.type', 'virtualization.clustertype')),
    device: related('device', 'dcim.device', 'name'),
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
    name: textFilter('name', { default: 'ie' }),
    mac_address: hardwareAddressFilter('interfaces.mac_addresses.mac_address'),
    has_primary_ip: hasPrimaryAddress,
  },
  features: [...PRIMARY, 'contacts', 'configContext', 'imageAttachments'],
  actions: ['render_config'],
})
