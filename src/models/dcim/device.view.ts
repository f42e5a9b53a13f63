import { namedBy } from '../../schema/import-column.ts'
import { registered, tab, titled, words } from '../../schema/view.ts'
import { deviceBehaviour } from './device.rules.ts'
import { device } from './device.ts'

export const deviceModel = registered(device, {
  behaviour: deviceBehaviour,
  context: words('site rack'),
  columns: words(`
    name status site location rack role device_type primary_ip tenant device_type.manufacturer
  `),
  moreColumns: {
    without: ['cooling_method'],
    plus: words(`
      site.region site.group parent_device device_type.u_height console_port_count console_server_port_count
      power_port_count power_outlet_count interface_count front_port_count rear_port_count device_bay_count
      module_bay_count inventory_item_count
    `),
  },
  labels: {
    ...titled('site.group parent_device position virtual_chassis config_template'),
    device_type: 'Type',
    oob_ip: 'OOB IP',
    face: 'Rack face',
    primary_ip: 'IP Address',
    primary_ip4: 'IPv4 Address',
    primary_ip6: 'IPv6 Address',
    vc_position: 'VC Position',
    vc_priority: 'VC Priority',
    'device_type.u_height': 'U Height',
    console_port_count: 'Console ports',
    console_server_port_count: 'Console server ports',
    power_port_count: 'Power ports',
    power_outlet_count: 'Power outlets',
    front_port_count: 'Front ports',
    rear_port_count: 'Rear ports',
    device_bay_count: 'Device bays',
    module_bay_count: 'Module bays',
    inventory_item_count: 'Inventory items',
  },
  fieldLabels: { oob_ip: 'Out-of-band IP' },
  formLabels: { role: 'Device role', position: 'Position' },
  panels: [
    {
      Device: words(`
        site.region site location rack position face virtual_chassis parent_device latitude
        longitude tenant description airflow cooling_method serial asset_tag config_template
      `),
    },
    {
      Management: words('status role platform primary_ip4 primary_ip6 oob_ip cluster'),
      'Device Type': words(`
        device_type.manufacturer device_type device_type.u_height device_type.front_image
        device_type.rear_image
      `),
    },
  ],
  overview: [{ model: 'ipam.ipaddress', by: { device_id: 'id' }, label: 'IP addresses' }],
  tables: [
    {
      model: 'dcim.interface',
      by: { device_id: 'id', connected: '=true' },
      label: 'Neighbours',
      columns: words('name cable link_peers connected_endpoints'),
      isSelection: true,
    },
    { model: 'dcim.virtualdevicecontext', by: { device_id: 'id' } },
    { model: 'ipam.service', by: { device_id: 'id' }, label: 'Application Services' },
  ],
  tabs: [
    tab(
      'interfaces',
      'dcim.interface',
      { virtual_chassis_member_or_master_id: 'id' },
      { columns: words('name label type'), sharedIf: 'virtual_chassis' },
    ),
    tab('front-ports', 'dcim.frontport', { device_id: 'id' }, { columns: words('name label type positions color') }),
    tab('rear-ports', 'dcim.rearport', { device_id: 'id' }, { columns: words('name label type positions color') }),
    tab(
      'console-ports',
      'dcim.consoleport',
      { device_id: 'id' },
      { columns: words('name label type speed description') },
    ),
    tab(
      'console-server-ports',
      'dcim.consoleserverport',
      { device_id: 'id' },
      { columns: words('name label type speed description') },
    ),
    tab(
      'power-ports',
      'dcim.powerport',
      { device_id: 'id' },
      { columns: words('name label type maximum_draw allocated_draw') },
    ),
    tab(
      'power-outlets',
      'dcim.poweroutlet',
      { device_id: 'id' },
      { columns: words('name label type status power_port feed_leg') },
    ),
    tab('device-bays', 'dcim.devicebay', { device_id: 'id' }),
    tab('module-bays', 'dcim.modulebay', { device_id: 'id' }),
    tab('inventory', 'dcim.inventoryitem', { device_id: 'id' }, { label: 'Inventory Items' }),
    tab('virtual-machines', 'virtualization.virtualmachine', { device_id: 'id' }),
  ],
  cloned: words(`
    device_type role tenant platform site location rack face status airflow cluster virtual_chassis
  `),
  shownElsewhere: ['local_context_data'],
  form: {
    Device: words('name role description tags'),
    Hardware: words('device_type airflow cooling_method serial asset_tag'),
    Location: words('site location rack face position latitude longitude'),
    Management: words('status platform config_template primary_ip4 primary_ip6 oob_ip'),
    Virtualization: ['cluster'],
    'Virtual Chassis': words('virtual_chassis vc_position vc_priority'),
    'Local Config Context Data': ['local_context_data'],
  },
  rackPosition: { position: 'position', rack: 'rack', face: 'face', type: 'device_type' },
  narrowedBy: {
    rack: { site_id: 'site', location_id: 'location' },
    location: { site_id: 'site' },
    platform: { available_for_device_type: 'device_type' },
    cluster: { site_id: 'site' },
    primary_ip4: { device_id: 'id' },
    primary_ip6: { device_id: 'id' },
    oob_ip: { device_id: 'id' },
  },
  filters: {
    Location: words('region_id site_group_id site_id location_id rack_id'),
    Operation: words('status role_id airflow serial asset_tag mac_address'),
    Hardware: words('manufacturer_id device_type_id platform_id'),
    Components: words(`
      console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports
    `),
    Cluster: words('cluster_group_id cluster_id'),
    Miscellaneous: words(`
      has_primary_ip has_oob_ip virtual_chassis_member config_template_id local_context_data
      has_virtual_device_context
    `),
  },
  bulkEdit: {
    Device: words('role status tenant platform description'),
    Location: words('site location'),
    Hardware: words('device_type airflow serial'),
    Configuration: ['config_template'],
    Virtualization: ['cluster'],
  },
  importColumns: {
    manufacturer: { to: 'dcim.manufacturer', narrows: { device_type: 'manufacturer' } },
    location: { narrows: { rack: 'location' } },
    parent: { to: 'dcim.device', narrows: { device_bay: 'device' }, listedAs: 'parent_device' },
    device_bay: { to: 'dcim.devicebay' },
  },
  importFollowUps: (values, id) => {
    const bay = namedBy(values, 'device_bay')
    return bay ? [{ ...bay, body: { installed_device: id } }] : []
  },
  importRequires: words('manufacturer status'),
  imports: {
    without: words('device_type primary_ip4 primary_ip6 oob_ip local_context_data'),
    plus: words('manufacturer.name device_type.model'),
  },
  search: {
    weights: { virtual_chassis: 200 },
    shown: words(`
      site location rack status device_type role tenant platform serial asset_tag description
    `),
  },
})
