import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { choice, foreignKey, integer, text } from '../../schema/field.ts'
import { choiceFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { powerPortType } from './choices/power-port-type.ts'

/** A power port that devices or modules of a type come with. */
export const powerPortTemplate = model({
  name: 'dcim.powerporttemplate',
  path: 'dcim/power-port-templates',
  page: false,
  labels: ['power port template', 'power port templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'powerporttemplates',
      nullable: true,
      resetOnPut: true,
      filter: false,
    }),
    module_type: foreignKey('dcim.moduletype', {
      onDelete: 'cascade',
      related: 'powerporttemplates',
      nullable: true,
      resetOnPut: true,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(powerPortType, { nullable: true, blank: true }),
    maximum_draw: integer({ range: [1, 2147483647], nullable: true }),
    allocated_draw: integer({ range: [1, 2147483647], nullable: true }),
    description,
    ...timestamps,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['device_type', 'module_type', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],

  filters: {
    type: choiceFilter('type', powerPortType, { single: true }),
    device_type_id: related('device_type', 'dcim.devicetype'),
  },
  features: LOGGED,
  changeRelates: ['device_type', 'module_type'],
})
