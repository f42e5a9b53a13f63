import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { choice, color, foreignKey, integer, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { portType } from './choices/port-type.ts'
import { portMappings } from './port-mappings.ts'

/** A front port that devices or modules of a type come with. */
export const frontPortTemplate = model({
  name: 'dcim.frontporttemplate',
  path: 'dcim/front-port-templates',
  page: false,
  labels: ['front port template', 'front port templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'frontporttemplates',
      nullable: true,
      resetOnPut: true,
      filter: false,
    }),
    module_type: foreignKey('dcim.moduletype', {
      onDelete: 'cascade',
      related: 'frontporttemplates',
      nullable: true,
      resetOnPut: true,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    rear_ports: portMappings('dcim_porttemplatemapping', 'front'),
    description,
    ...timestamps,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['device_type', 'module_type', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],

  filters: {
    device_type_id: related('device_type', 'dcim.devicetype'),
    rear_port_id: related('mappings.rear_port', 'dcim.rearporttemplate'),
  },
  features: LOGGED,
  changeRelates: ['device_type', 'module_type'],
})
