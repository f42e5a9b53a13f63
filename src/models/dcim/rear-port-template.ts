import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { choice, color, foreignKey, integer, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { portType } from './choices/port-type.ts'
import { portMappings } from './port-mappings.ts'

/** A rear port that devices or modules of a type come with. */
export const rearPortTemplate = model({
  name: 'dcim.rearporttemplate',
  path: 'dcim/rear-port-templates',
  page: false,
  labels: ['rear port template', 'rear port templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'rearporttemplates',
      nullable: true,
      resetOnPut: true,
      filter: false,
    }),
    module_type: foreignKey('dcim.moduletype', {
      onDelete: 'cascade',
      related: 'rearporttemplates',
      nullable: true,
      resetOnPut: true,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    front_ports: portMappings('dcim_porttemplatemapping', 'rear'),
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
    front_port_id: related('mappings.front_port', 'dcim.frontporttemplate'),
  },
  features: LOGGED,
  changeRelates: ['device_type', 'module_type'],
})
