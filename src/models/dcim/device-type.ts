import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, choice, counter, date, decimal, file, foreignKey, slug, text } from '../../schema/field.ts'
import { holds, present } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { weightUnit } from '../core/choices.ts'
import { deviceAirflow } from './choices.ts'
import { templatePresenceFilters } from './component-presence.ts'
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
  about: 'A model of hardware with its ports, which new devices of the type get.',
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
