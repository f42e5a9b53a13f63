import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, choice, counter, date, decimal, file, foreignKey, slug, text } from '../../schema/field.ts'
import { holds, present } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { modelView, tab, titled, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { weightUnit } from '../core/choices.ts'
import { deviceAirflow } from './choices.ts'
import { templatePresenceFilters } from './component-presence.ts'
import { componentLists } from './component-template.ts'
import { coolingMethod } from './cooling.ts'
import { storedGrams } from './units.ts'

const subdeviceRole = choices([
  ['parent', 'Parent'],
  ['child', 'Child'],
])

/** A make and model of hardware: height, weight and the components that its devices are created with. */
export const deviceType = model({
  name: 'dcim.devicetype',
  path: 'dcim/device-types',
  labels: ['device type', 'device types'],
  earlier: {
    without: [...['cooling_method', 'end_of_life', 'cooling_intake_template_count', 'cooling_outflow_template_count']],
  },

  fields: {
    manufacturer: foreignKey('dcim.manufacturer', { related: 'device_types' }),
    default_platform: foreignKey('dcim.platform', { onDelete: 'setNull', related: '+' }),
    model: text({ max: 100 }),
    slug: slug({ max: 100 }),
    part_number: text({ max: 50, default: '' }),
    u_height: decimal({
      digits: 4,
      places: 1,
      range: [0, 999.9],
      default: '1.0',
      resetOnPut: true,
      label: 'Position (U)',
    }),
    exclude_from_utilization: boolean({ default: false }),
    is_full_depth: boolean({ default: true }),
    subdevice_role: choice(subdeviceRole, {
      example: 'parent',
      nullable: true,
      blank: true,
      filter: 'single',
    }),
    airflow: choice(deviceAirflow, { nullable: true, blank: true, filter: 'single' }),
    cooling_method: choice(coolingMethod, { nullable: true, blank: true, filter: 'single' }),
    weight: decimal({ unit: 'weight_unit', digits: 8, places: 2, nullable: true }),
    weight_unit: choice(weightUnit, { nullable: true, blank: true, filter: 'single' }),
    end_of_life: date({ nullable: true }),
    front_image: file({ image: true, directory: 'devicetype-images', default: '', blank: true }),
    rear_image: file({ image: true, directory: 'devicetype-images', default: '', blank: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    device_count: counter('dcim.device', 'device_type'),
    console_port_template_count: counter('dcim.consoleporttemplate', 'device_type'),
    console_server_port_template_count: counter('dcim.consoleserverporttemplate', 'device_type'),
    power_port_template_count: counter('dcim.powerporttemplate', 'device_type'),
    power_outlet_template_count: counter('dcim.poweroutlettemplate', 'device_type'),
    cooling_intake_template_count: counter('dcim.coolingintaketemplate', 'device_type'),
    cooling_outflow_template_count: counter('dcim.coolingoutflowtemplate', 'device_type'),
    interface_template_count: counter('dcim.interfacetemplate', 'device_type'),
    front_port_template_count: counter('dcim.frontporttemplate', 'device_type'),
    rear_port_template_count: counter('dcim.rearporttemplate', 'device_type'),
    device_bay_template_count: counter('dcim.devicebaytemplate', 'device_type'),
    module_bay_template_count: counter('dcim.modulebaytemplate', 'device_type'),
    inventory_item_template_count: counter('dcim.inventoryitemtemplate', 'device_type'),
    _abs_weight: storedGrams('weight', 'weight_unit'),
  },

  display: '{model}',
  graphql: {
    enums: {
      cooling_method: ['CoolingMethodEnum', 'METHOD'],
      subdevice_role: ['SubdeviceRoleEnum', 'ROLE'],
      weight_unit: ['WeightUnitEnum', ''],
    },
  },
  brief: ['id', 'url', 'display', 'manufacturer', 'model', 'slug', 'description', 'device_count'],
  order: ['manufacturer', 'model'],
  search: ['comments', 'description', 'part_number', 'manufacturer.name', 'model'],
  unique: [{ fields: ['manufacturer', 'model'] }, { fields: ['manufacturer', 'slug'] }],

  filters: {
    ...templatePresenceFilters('device_type_id'),
    has_front_image: holds(({ column }) => sql`${column('front_image')} <> ''`),
    has_rear_image: holds(({ column }) => sql`${column('rear_image')} <> ''`),
    device_bays: present('devicebaytemplates'),
    inventory_items: present('inventoryitemtemplates'),
  },
  features: [...PRIMARY, 'imageAttachments'],
})

export const deviceTypeView = modelView(deviceType, {
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
    tab('device-bays', 'dcim.devicebaytemplate', { device_type_id: 'id' }),
    tab('module-bays', 'dcim.modulebaytemplate', { device_type_id: 'id' }),
    tab('interfaces', 'dcim.interfacetemplate', { device_type_id: 'id' }),
    tab('front-ports', 'dcim.frontporttemplate', { device_type_id: 'id' }),
    tab('rear-ports', 'dcim.rearporttemplate', { device_type_id: 'id' }),
    tab('console-ports', 'dcim.consoleporttemplate', { device_type_id: 'id' }),
    tab('console-server-ports', 'dcim.consoleserverporttemplate', { device_type_id: 'id' }),
    tab('power-ports', 'dcim.powerporttemplate', { device_type_id: 'id' }),
    tab('power-outlets', 'dcim.poweroutlettemplate', { device_type_id: 'id' }),
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
