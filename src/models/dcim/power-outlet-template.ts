import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { choice, color, foreignKey, text } from '../../schema/field.ts'
import { choiceFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { powerOutletFeedLeg } from './choices/power-outlet-feed-leg.ts'
import { powerOutletType } from './choices/power-outlet-type.ts'

/** A power outlet that devices or modules of a type come with. */
export const powerOutletTemplate = model({
  name: 'dcim.poweroutlettemplate',
  path: 'dcim/power-outlet-templates',
  page: false,
  labels: ['power outlet template', 'power outlet templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'poweroutlettemplates',
      nullable: true,
      resetOnPut: true,
      filter: false,
    }),
    module_type: foreignKey('dcim.moduletype', {
      onDelete: 'cascade',
      related: 'poweroutlettemplates',
      nullable: true,
      resetOnPut: true,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    type: choice(powerOutletType, { nullable: true, blank: true }),
    color: color({ default: '' }),
    power_port: foreignKey('dcim.powerporttemplate', {
      onDelete: 'setNull',
      related: 'poweroutlet_templates',
      nullable: true,
    }),
    feed_leg: choice(powerOutletFeedLeg, { nullable: true, blank: true }),
    description,
    ...timestamps,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['device_type', 'module_type', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['device_type', 'name'] }, { fields: ['module_type', 'name'] }],

  filters: {
    type: choiceFilter('type', powerOutletType, { single: true }),
    device_type_id: related('device_type', 'dcim.devicetype'),
  },
  features: LOGGED,
  changeRelates: ['device_type', 'module_type'],
})
