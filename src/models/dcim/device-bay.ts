import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, derived, foreignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { componentFilters, componentPlace } from './component.ts'

/** A place in a parent device that takes a child device. */
export const deviceBay = model({
  name: 'dcim.devicebay',
  path: 'dcim/device-bays',
  labels: ['device bay', 'device bays'],

  fields: {
    device: foreignKey('dcim.device', { onDelete: 'cascade', related: 'devicebays' }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    enabled: boolean({ default: true }),
    description,
    installed_device: foreignKey('dcim.device', {
      onDelete: 'setNull',
      related: 'parent_bay',
      nullable: true,
      unique: true,
    }),
    owner,
    ...housekeeping,
    _occupied: derived(
      'boolean',
      (column) => sql`(not ${column('enabled')} or ${column('installed_device')} is not null)`,
      { isTyped: true },
    ),
    ...componentPlace,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'device', 'name', 'enabled', 'description', '_occupied'],
  order: ['device', 'name'],
  search: ['description', 'name', 'label'],
  unique: [{ fields: ['device', 'name'] }],

  filters: {
    ...componentFilters,
    installed_device: related('installed_device', 'dcim.device', 'name'),
  },
  features: PRIMARY,
  changeRelates: 'device',
})
