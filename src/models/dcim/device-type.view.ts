import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { componentLists } from './component-lists.ts'

export const deviceTypeView = modelView('dcim.devicetype', {
  context: ['manufacturer'],
  columns: ['model', 'manufacturer', 'part_number', 'u_height', 'is_full_depth', 'device_count'],
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
    model: 'Device Type',
    default_platform: 'Default Platform',
    u_height: 'U Height',
    is_full_depth: 'Full Depth',
    device_count: 'Device Count',
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
  panels: [
    [
      fieldGroup(
        'Device type',
        `
          manufacturer model part_number default_platform description u_height
          exclude_from_utilization is_full_depth weight subdevice_role airflow front_image
          rear_image
        `,
      ),
    ],
  ],
  tabs: [
    {
      path: 'device-bays',
      label: 'Device Bays',
      model: 'dcim.devicebaytemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'module-bays',
      label: 'Module Bays',
      model: 'dcim.modulebaytemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'interfaces',
      label: 'Interfaces',
      model: 'dcim.interfacetemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'front-ports',
      label: 'Front Ports',
      model: 'dcim.frontporttemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'rear-ports',
      label: 'Rear Ports',
      model: 'dcim.rearporttemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'console-ports',
      label: 'Console Ports',
      model: 'dcim.consoleporttemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'console-server-ports',
      label: 'Console Server Ports',
      model: 'dcim.consoleserverporttemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'power-ports',
      label: 'Power Ports',
      model: 'dcim.powerporttemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'power-outlets',
      label: 'Power Outlets',
      model: 'dcim.poweroutlettemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
    {
      path: 'inventory-items',
      label: 'Inventory Items',
      model: 'dcim.inventoryitemtemplate',
      by: { device_type_id: 'id' },
      hiddenIfEmpty: true,
    },
  ],
  cloned: words(`
    manufacturer default_platform u_height is_full_depth subdevice_role airflow weight weight_unit
  `),
  form: [
    fieldGroup('Device Type', 'manufacturer model slug default_platform description tags'),
    fieldGroup(
      'Chassis',
      `
        u_height exclude_from_utilization is_full_depth part_number subdevice_role airflow weight
        weight_unit
      `,
    ),
    fieldGroup('Images', ['front_image', 'rear_image']),
  ],
  filters: [
    fieldGroup(
      'Hardware',
      'manufacturer_id default_platform_id part_number device_count subdevice_role airflow',
    ),
    fieldGroup('Images', ['has_front_image', 'has_rear_image']),
    fieldGroup(
      'Components',
      `
        console_ports console_server_ports power_ports power_outlets interfaces pass_through_ports
        device_bays module_bays inventory_items
      `,
    ),
    fieldGroup('Weight', ['weight', 'weight_unit']),
  ],
  bulkEdit: [
    fieldGroup(
      'Device Type',
      `
        manufacturer default_platform part_number u_height exclude_from_utilization is_full_depth
        airflow description
      `,
    ),
    fieldGroup('Weight', ['weight', 'weight_unit']),
  ],
  importColumns: { front_image: { ignored: true }, rear_image: { ignored: true } },
  importComponents: componentLists('device_type'),
  importRequires: ['u_height'],
  imports: words(`
    manufacturer.name default_platform.name model slug part_number u_height exclude_from_utilization
    is_full_depth subdevice_role airflow description weight weight_unit owner.name comments
    tags.slug
  `),
  search: {
    weights: { model: 100, part_number: 200, description: 500, comments: 5000 },
    shown: ['manufacturer', 'part_number', 'description'],
  },
})
