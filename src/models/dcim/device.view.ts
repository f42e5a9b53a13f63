import { namedBy } from '../../schema/import-column.ts'
import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const deviceView = modelView('dcim.device', {
  context: ['site', 'rack'],
  columns: words(
    'name status tenant site location rack role device_type.manufacturer device_type primary_ip',
  ),
  moreColumns: words(`
    id tenant.group serial asset_tag site.region site.group parent_device position face latitude
    longitude airflow primary_ip4 primary_ip6 oob_ip cluster virtual_chassis vc_position vc_priority
    description config_template comments tags created last_updated owner.group owner
    device_type.u_height platform console_port_count console_server_port_count power_port_count
    power_outlet_count interface_count front_port_count rear_port_count device_bay_count
    module_bay_count inventory_item_count
  `),
  labels: {
    device_type: 'Type',
    'site.group': 'Site Group',
    parent_device: 'Parent Device',
    position: 'Position',
    oob_ip: 'OOB IP',
    face: 'Rack face',
    primary_ip: 'IP Address',
    primary_ip4: 'IPv4 Address',
    primary_ip6: 'IPv6 Address',
    virtual_chassis: 'Virtual Chassis',
    vc_position: 'VC Position',
    vc_priority: 'VC Priority',
    config_template: 'Config Template',
    'device_type.u_height': 'U Height',
    console_port_count: 'Console ports',
    console_server_port_count: 'Console server ports',
    power_port_count: 'Power ports',
    power_outlet_count: 'Power outlets',
    interface_count: 'Interfaces',
    front_port_count: 'Front ports',
    rear_port_count: 'Rear ports',
    device_bay_count: 'Device bays',
    module_bay_count: 'Module bays',
    inventory_item_count: 'Inventory items',
  },
  fieldLabels: { oob_ip: 'Out-of-band IP' },
  formLabels: { role: 'Device role', position: 'Position' },
  panels: [
    [
      fieldGroup(
        'Device',
        `
          site.region site location rack position face virtual_chassis parent_device latitude
          longitude tenant description airflow serial asset_tag config_template
        `,
      ),
    ],
    [
      fieldGroup('Management', 'status role platform primary_ip4 primary_ip6 oob_ip cluster'),
      fieldGroup(
        'Device Type',
        `
          device_type.manufacturer device_type device_type.u_height device_type.front_image
          device_type.rear_image
        `,
      ),
    ],
  ],
  tables: [
    { model: 'dcim.virtualdevicecontext', by: { device_id: 'id' } },
    { model: 'ipam.service', by: { device_id: 'id' }, label: 'Application Services' },
  ],
  tabs: [
    {
      path: 'device-bays',
      label: 'Device Bays',
      model: 'dcim.devicebay',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'module-bays',
      label: 'Module Bays',
      model: 'dcim.modulebay',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'interfaces',
      label: 'Interfaces',
      model: 'dcim.interface',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
      columns: ['name', 'label', 'type'],
    },
    {
      path: 'front-ports',
      label: 'Front Ports',
      model: 'dcim.frontport',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
      columns: ['name', 'label', 'type', 'positions', 'color'],
    },
    {
      path: 'rear-ports',
      label: 'Rear Ports',
      model: 'dcim.rearport',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
      columns: ['name', 'label', 'type', 'positions', 'color'],
    },
    {
      path: 'console-ports',
      label: 'Console Ports',
      model: 'dcim.consoleport',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
      columns: ['name', 'label', 'type', 'speed', 'description'],
    },
    {
      path: 'console-server-ports',
      label: 'Console Server Ports',
      model: 'dcim.consoleserverport',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
      columns: ['name', 'label', 'type', 'speed', 'description'],
    },
    {
      path: 'power-ports',
      label: 'Power Ports',
      model: 'dcim.powerport',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
      columns: ['name', 'label', 'type', 'maximum_draw', 'allocated_draw'],
    },
    {
      path: 'power-outlets',
      label: 'Power Outlets',
      model: 'dcim.poweroutlet',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
      columns: ['name', 'label', 'type', 'status', 'power_port', 'feed_leg'],
    },
    {
      path: 'inventory',
      label: 'Inventory Items',
      model: 'dcim.inventoryitem',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'virtual-machines',
      label: 'Virtual Machines',
      model: 'virtualization.virtualmachine',
      by: { device_id: 'id' },
      hiddenIfEmpty: true,
    },
  ],
  ownTabs: [
    { path: 'panel', label: 'Panel', model: 'dcim.frontport', by: { device_id: 'id' } },
    { path: 'power', label: 'Power', model: 'dcim.powerport', by: { device_id: 'id' } },
  ],
  cloned: words(`
    device_type role tenant platform site location rack face status airflow cluster virtual_chassis
  `),
  form: [
    fieldGroup('Device', ['name', 'role', 'description', 'tags']),
    fieldGroup('Hardware', ['device_type', 'airflow', 'serial', 'asset_tag']),
    fieldGroup('Location', 'site location rack face position latitude longitude'),
    fieldGroup('Management', 'status platform config_template primary_ip4 primary_ip6 oob_ip'),
    fieldGroup('Virtualization', ['cluster']),
    fieldGroup('Virtual Chassis', ['virtual_chassis', 'vc_position', 'vc_priority']),
    fieldGroup('Local Config Context Data', ['local_context_data']),
  ],
  rackPosition: { position: 'position', rack: 'rack', face: 'face', type: 'device_type' },
  narrowedBy: {
    rack: { site_id: 'site', location_id: 'location' },
    location: { site_id: 'site' },
    platform: { available_for_device_type: 'device_type' },
    cluster: { site_id: 'site' },
  },
  filters: [
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id', 'rack_id']),
    fieldGroup('Operation', ['status', 'role_id', 'airflow', 'serial', 'asset_tag', 'mac_address']),
    fieldGroup('Hardware', ['manufacturer_id', 'device_type_id', 'platform_id']),
    fieldGroup(
      'Components',
      'console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports',
    ),
    fieldGroup('Cluster', ['cluster_group_id', 'cluster_id']),
    fieldGroup(
      'Miscellaneous',
      `
        has_primary_ip has_oob_ip virtual_chassis_member config_template_id local_context_data
        has_virtual_device_context
      `,
    ),
  ],
  bulkEdit: [
    fieldGroup('Device', ['role', 'status', 'tenant', 'platform', 'description']),
    fieldGroup('Location', ['site', 'location']),
    fieldGroup('Hardware', ['device_type', 'airflow', 'serial']),
    fieldGroup('Configuration', ['config_template']),
    fieldGroup('Virtualization', ['cluster']),
  ],
  importColumns: {
    manufacturer: { to: 'dcim.manufacturer', narrows: { device_type: 'manufacturer' } },
    location: { narrows: { rack: 'location' } },
    parent: { to: 'dcim.device', narrows: { device_bay: 'device' } },
    device_bay: { to: 'dcim.devicebay' },
  },
  importFollowUps: (values, id) => {
    const bay = namedBy(values, 'device_bay')
    return bay ? [{ ...bay, body: { installed_device: id } }] : []
  },
  importRequires: ['manufacturer', 'status'],
  imports: words(`
    name role.name tenant.name manufacturer.name device_type.model platform.name serial asset_tag
    status site.name location.name rack.name position face latitude longitude parent.name
    device_bay.name airflow virtual_chassis.name vc_position vc_priority cluster.name description
    config_template.name owner.name comments tags.slug
  `),
  search: {
    weights: {
      asset_tag: 50,
      serial: 60,
      name: 100,
      virtual_chassis: 200,
      description: 500,
      comments: 5000,
    },
    shown: words(
      'site location rack status device_type role tenant platform serial asset_tag description',
    ),
  },
})
