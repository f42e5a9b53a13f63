import { registered, tab, titled, words } from '../../schema/view.ts'
import { componentLists } from './component-template.ts'
import { deviceTypeBehaviour } from './device-type.rules.ts'
import { deviceType } from './device-type.ts'

export const deviceTypeModel = registered(deviceType, {
  behaviour: deviceTypeBehaviour,
  context: ['manufacturer'],
  columns: words('model manufacturer part_number u_height is_full_depth device_count'),
  moreColumns: words(`
    id default_platform slug exclude_from_utilization subdevice_role airflow weight description
    comments tags created last_updated owner.group owner console_port_template_count
    console_server_port_template_count power_port_template_count power_outlet_template_count
    interface_template_count front_port_template_count rear_port_template_count
    device_bay_template_count module_bay_template_count inventory_item_template_count
  `),
  // NetBox's API calls it "Position (U)", its pages do not.
  fieldLabels: { subdevice_role: 'Parent/child status', u_height: 'Height (U)' },
  labels: {
    ...titled('default_platform u_height device_count'),
    model: 'Device Type',
    is_full_depth: 'Full Depth',
    console_port_template_count: 'Console Ports',
    console_server_port_template_count: 'Console Server Ports',
    power_port_template_count: 'Power Ports',
    power_outlet_template_count: 'Power Outlets',
    interface_template_count: 'Interfaces',
    front_port_template_count: 'Front Ports',
    rear_port_template_count: 'Rear Ports',
    device_bay_template_count: 'Device Bays',
    module_bay_template_count: 'Module Bays',
    inventory_item_template_count: 'Inventory Items',
  },
  panels: words(`
    manufacturer model part_number default_platform description u_height exclude_from_utilization
    is_full_depth weight subdevice_role airflow cooling_method end_of_life front_image rear_image
  `),
  tabs: [
    tab('interfaces', 'dcim.interfacetemplate', { device_type_id: 'id' }),
    tab('front-ports', 'dcim.frontporttemplate', { device_type_id: 'id' }),
    tab('rear-ports', 'dcim.rearporttemplate', { device_type_id: 'id' }),
    tab('console-ports', 'dcim.consoleporttemplate', { device_type_id: 'id' }),
    tab('console-server-ports', 'dcim.consoleserverporttemplate', { device_type_id: 'id' }),
    tab('power-ports', 'dcim.powerporttemplate', { device_type_id: 'id' }),
    tab('power-outlets', 'dcim.poweroutlettemplate', { device_type_id: 'id' }),
    tab('device-bays', 'dcim.devicebaytemplate', { device_type_id: 'id' }),
    tab('module-bays', 'dcim.modulebaytemplate', { device_type_id: 'id' }),
    tab('inventory-items', 'dcim.inventoryitemtemplate', { device_type_id: 'id' }),
  ],
  cloned: words(`
    manufacturer default_platform u_height is_full_depth subdevice_role airflow weight weight_unit
  `),
  form: {
    'Device Type': words('manufacturer model slug default_platform description tags'),
    Chassis: words(`
      u_height exclude_from_utilization is_full_depth part_number subdevice_role airflow
      cooling_method weight weight_unit end_of_life
    `),
    Images: words('front_image rear_image'),
  },
  filters: {
    Hardware: words(`
      manufacturer_id default_platform_id part_number device_count subdevice_role airflow
    `),
    Images: words('has_front_image has_rear_image'),
    Components: words(`
      console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports
      device_bays module_bays inventory_items
    `),
    Weight: words('weight weight_unit'),
  },
  bulkEdit: {
    'Device Type': words(`
      manufacturer default_platform part_number u_height exclude_from_utilization is_full_depth
      airflow description
    `),
    Weight: words('weight weight_unit'),
  },
  importColumns: { front_image: { ignored: true }, rear_image: { ignored: true } },
  importComponents: componentLists('device_type'),
  importRequires: ['u_height'],
  imports: words(`
    manufacturer.name default_platform.name model slug part_number u_height exclude_from_utilization
    is_full_depth subdevice_role airflow cooling_method description weight weight_unit end_of_life
    owner.name comments tags.slug
  `),
  search: {
    weights: { model: 100, part_number: 200, slug: null },
    shown: words('manufacturer part_number description'),
  },
})
