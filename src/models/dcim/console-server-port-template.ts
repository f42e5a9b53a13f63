import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { choice, foreignKey, text } from '../../schema/field.ts'
import { choiceFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { consolePortType } from './choices/console-port-type.ts'

/** A console server port that devices or modules of a type come with. */
export const consoleServerPortTemplate = model({
  name: 'dcim.consoleserverporttemplate',
  path: 'dcim/console-server-port-templates',
  page: false,
  labels: ['console server port template', 'console server port templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'consoleserverporttemplates',
      nullable: true,
      resetOnPut: true,
      filter: false,
    }),
    module_type: foreignKey('dcim.moduletype', {
      onDelete: 'cascade',
      related: 'consoleserverporttemplates',
      nullable: true,
      resetOnPut: true,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(consolePortType, { nullable: true, blank: true }),
    description,
    ...timestamps,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['device_type', 'module_type', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],

  filters: {
    type: choiceFilter('type', consolePortType, { single: true }),
    device_type_id: related('device_type', 'dcim.devicetype'),
  },
  features: LOGGED,
  changeRelates: ['device_type', 'module_type'],
})
