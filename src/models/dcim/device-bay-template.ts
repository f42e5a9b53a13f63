import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, foreignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** A device bay that devices of a type come with. */
export const deviceBayTemplate = model({
  name: 'dcim.devicebaytemplate',
  path: 'dcim/device-bay-templates',
  page: false,
  labels: ['device bay template', 'device bay templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'devicebaytemplates',
      filter: false,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    enabled: boolean({ default: true }),
    description,
    ...timestamps,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
  order: ['device_type', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['device_type', 'name'] }],

  filters: {
    device_type_id: related('device_type', 'dcim.devicetype'),
  },
  features: LOGGED,
  changeRelates: 'device_type',
})
