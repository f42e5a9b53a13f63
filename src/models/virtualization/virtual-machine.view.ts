import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const virtualMachineView = modelView('virtualization.virtualmachine', {
  context: ['cluster', 'site'],
  columns: words(
    'name virtual_machine_type role status site cluster tenant vcpus memory disk primary_ip',
  ),
  moreColumns: words(`
    id start_on_boot device platform primary_ip4 primary_ip6 description serial tenant.group
    comments tags config_template created last_updated owner.group owner interface_count
    virtual_disk_count
  `),
  labels: {
    primary_ip4: 'IPv4 Address',
    primary_ip6: 'IPv6 Address',
    primary_ip: 'IP Address',
    config_template: 'Config Template',
    interface_count: 'Interfaces',
    virtual_disk_count: 'Virtual Disks',
  },
  fieldLabels: { virtual_machine_type: 'Type' },
  panels: [
    [
      fieldGroup(
        'Virtual machine',
        `
          name virtual_machine_type status start_on_boot role platform description serial tenant
          config_template primary_ip4 primary_ip6
        `,
      ),
    ],
    [
      fieldGroup('Resources', ['vcpus', 'memory', 'disk']),
      fieldGroup('Placement', ['site', 'cluster', 'cluster.type', 'device']),
    ],
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
    {
      path: 'interfaces',
      label: 'Interfaces',
      model: 'virtualization.vminterface',
      by: { virtual_machine_id: 'id' },
    },
    {
      path: 'disks',
      label: 'Virtual Disks',
      model: 'virtualization.virtualdisk',
      by: { virtual_machine_id: 'id' },
    },
  ],
  cloned: words(
    'virtual_machine_type site cluster device tenant platform status role vcpus memory disk',
  ),
  form: [
    fieldGroup(
      'Virtual Machine',
      'name virtual_machine_type role status start_on_boot description serial tags',
    ),
    fieldGroup('Placement', ['site', 'cluster', 'device']),
    fieldGroup('Management', ['platform', 'primary_ip4', 'primary_ip6', 'config_template']),
    fieldGroup('Resources', ['vcpus', 'memory', 'disk']),
    fieldGroup('Config Context', ['local_context_data']),
  ],
  narrowedBy: { device: { cluster_id: 'cluster', site_id: 'site' } },
  filters: [
    fieldGroup('Cluster', ['cluster_group_id', 'cluster_type_id', 'cluster_id', 'device_id']),
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id']),
    fieldGroup(
      'Attributes',
      `
        virtual_machine_type_id status start_on_boot role_id platform_id mac_address has_primary_ip
        config_template_id local_context_data serial
      `,
    ),
  ],
  bulkEdit: [
    fieldGroup('', 'virtual_machine_type status start_on_boot role tenant platform description'),
    fieldGroup('Placement', ['site', 'cluster', 'device']),
    fieldGroup('Resources', ['vcpus', 'memory', 'disk']),
    fieldGroup('Configuration', ['config_template']),
  ],
  importRequires: ['status'],
  imports: words(`
    name virtual_machine_type.name role.name status start_on_boot site.name cluster.name device.name
    platform.name vcpus memory disk description serial tenant.name owner.name comments tags.slug
    config_template.name
  `),
  search: {
    weights: { serial: 60, name: 100, description: 500, comments: 5000 },
    shown: words('site cluster device tenant platform status serial role description'),
  },
})
