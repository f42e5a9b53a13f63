import { registered, tab, words } from '../../schema/view.ts'
import { virtualMachineBehaviour } from './virtual-machine.rules.ts'
import { virtualMachine } from './virtual-machine.ts'

export const virtualMachineModel = registered(virtualMachine, {
  behaviour: virtualMachineBehaviour,
  context: words('cluster site'),
  columns: words(`
    name status cluster site role primary_ip vcpus memory disk tenant virtual_machine_type
  `),
  moreColumns: { plus: words('interface_count virtual_disk_count') },
  labels: {
    config_template: 'Config Template',
    primary_ip4: 'IPv4 Address',
    primary_ip6: 'IPv6 Address',
    primary_ip: 'IP Address',
  },
  fieldLabels: { virtual_machine_type: 'Type' },
  panels: [
    {
      'Virtual machine': words(`
        name virtual_machine_type status start_on_boot role platform description serial tenant
        config_template primary_ip4 primary_ip6
      `),
    },
    { Resources: words('vcpus memory disk'), Placement: words('site cluster cluster.type device') },
  ],
  overview: [
    { model: 'virtualization.vminterface', by: { virtual_machine_id: 'id' }, label: 'Interfaces' },
    { model: 'ipam.ipaddress', by: { virtual_machine_id: 'id' }, label: 'IP Addresses' },
  ],
  tables: [
    { model: 'ipam.service', by: { virtual_machine_id: 'id' }, label: 'Application Services' },
    { model: 'virtualization.virtualdisk', by: { virtual_machine_id: 'id' } },
  ],
  tabs: [
    tab('interfaces', 'virtualization.vminterface', { virtual_machine_id: 'id' }, { hiddenIfEmpty: false }),
    tab(
      'disks',
      'virtualization.virtualdisk',
      { virtual_machine_id: 'id' },
      { label: 'Virtual Disks', hiddenIfEmpty: false },
    ),
  ],
  cloned: words(`
    virtual_machine_type site cluster device tenant platform status role vcpus memory disk
  `),
  shownElsewhere: ['local_context_data'],
  form: {
    'Virtual Machine': words(`
      name virtual_machine_type role status start_on_boot description serial tags
    `),
    Placement: words('site cluster device'),
    Management: words('platform primary_ip4 primary_ip6 config_template'),
    Resources: words('vcpus memory disk'),
    'Config Context': ['local_context_data'],
  },
  narrowedBy: {
    device: { cluster_id: 'cluster', site_id: 'site' },
    primary_ip4: { virtual_machine_id: 'id' },
    primary_ip6: { virtual_machine_id: 'id' },
  },
  filters: {
    Cluster: words('cluster_group_id cluster_type_id cluster_id device_id'),
    Location: words('region_id site_group_id site_id'),
    Attributes: words(`
      virtual_machine_type_id status start_on_boot role_id platform_id mac_address has_primary_ip
      config_template_id local_context_data serial
    `),
  },
  bulkEdit: {
    '': words('virtual_machine_type status start_on_boot role tenant platform description'),
    Placement: words('site cluster device'),
    Resources: words('vcpus memory disk'),
    Configuration: ['config_template'],
  },
  importRequires: ['status'],
  imports: { without: words('primary_ip4 primary_ip6 local_context_data') },
  search: { shown: words('site cluster device tenant platform status serial role description') },
})
