import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, foreignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** A module bay that devices or modules of a type come with. */
export const moduleBayTemplate = model({
  name: 'dcim.modulebaytemplate',
  path: 'dcim/module-bay-templates',
  page: false,
  labels: ['module bay template', 'module bay templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'modulebaytemplates',
      nullable: true,
      resetOnPut: true,
      filter: false,
    }),
    module_type: foreignKey('dcim.moduletype', {
      onDelete: 'cascade',
      related: 'modulebaytemplates',
      nullable: true,
      resetOnPut: true,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    position: text({ max: 30, default: '' }),
    enabled: boolean({ default: true }),
    description,
    ...timestamps,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
  order: ['device_type', 'module_type', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],

  filters: {
    device_type_id: related('device_type', 'dcim.devicetype'),
  },
  features: LOGGED,
  changeRelates: ['device_type', 'module_type'],
})
