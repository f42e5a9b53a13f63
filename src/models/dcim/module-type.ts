import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, counter, decimal, foreignKey, integer, json, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { weightUnit } from '../core/choices/weight-unit.ts'
import { templatePresenceFilters } from './component-presence.ts'
import { absoluteWeight } from './units.ts'

export const moduleAirflow = choices([
  ['front-to-rear', 'Front to rear'],
  ['rear-to-front', 'Rear to front'],
  ['left-to-right', 'Left to right'],
  ['right-to-left', 'Right to left'],
  ['side-to-rear', 'Side to rear'],
  ['passive', 'Passive'],
])

/** A make and model of module and the components that its modules come with. */
export const moduleType = model({
  name: 'dcim.moduletype',
  path: 'dcim/module-types',
  labels: ['module type', 'module types'],

  fields: {
    profile: foreignKey('dcim.moduletypeprofile', { related: 'module_types', nullable: true }),
    manufacturer: foreignKey('dcim.manufacturer', { related: 'module_types' }),
    model: text({ max: 100 }),
    part_number: text({ max: 50, default: '' }),
    airflow: choice(moduleAirflow, { nullable: true, blank: true, filter: 'single' }),
    weight: decimal({ unit: 'weight_unit', digits: 8, places: 2, nullable: true }),
    weight_unit: choice(weightUnit, { nullable: true, blank: true, filter: 'single' }),
    description,
    attributes: json({ column: 'attribute_data', nullable: true }),
    owner,
    comments,
    ...housekeeping,
    module_count: counter('dcim.module', 'module_type'),
    console_port_template_count: counter('dcim.consoleporttemplate', 'module_type'),
    console_server_port_template_count: counter('dcim.consoleserverporttemplate', 'module_type'),
    power_port_template_count: counter('dcim.powerporttemplate', 'module_type'),
    power_outlet_template_count: counter('dcim.poweroutlettemplate', 'module_type'),
    interface_template_count: counter('dcim.interfacetemplate', 'module_type'),
    front_port_template_count: counter('dcim.frontporttemplate', 'module_type'),
    rear_port_template_count: counter('dcim.rearporttemplate', 'module_type'),
    module_bay_template_count: counter('dcim.modulebaytemplate', 'module_type'),
    _abs_weight: integer({
      size: 'big',
      range: [0, Number.MAX_SAFE_INTEGER],
      nullable: true,
      hidden: true,
      compute: absoluteWeight('weight', 'weight_unit'),
    }),
  },

  display: '{model}',
  graphql: { enums: { airflow: ['ModuleAirflowEnum', ''] } },
  brief: [
    'id',
    'url',
    'display',
    'profile',
    'manufacturer',
    'model',
    'description',
    'module_count',
  ],
  order: ['profile', 'manufacturer', 'model'],
  search: ['comments', 'description', 'part_number', 'manufacturer.name', 'model'],
  unique: [{ fields: ['manufacturer', 'model'] }],

  filters: {
    ...templatePresenceFilters('module_type_id'),
    profile: related('profile', 'dcim.moduletypeprofile', 'name'),
  },
  keyFilter: { prefix: 'attr_', field: 'attributes' },
  features: [...PRIMARY, 'imageAttachments'],
})
