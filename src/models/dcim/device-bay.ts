import { description } from '../../schema/common.ts'
import { boolean, derived, foreignKey } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { sql } from '../../sql/fragment.ts'
import { component, labelled, ofDevice } from './component.ts'

/** A slot in a parent device for a child device. */
export const deviceBay = component({
  name: 'dcim.devicebay',
  path: 'dcim/device-bays',
  labels: ['device bay', 'device bays'],

  fields: {
    ...ofDevice('devicebays'),
    ...labelled,
    enabled: boolean({ default: true }),
    description,
    installed_device: foreignKey('dcim.device', {
      onDelete: 'setNull',
      related: 'parent_bay',
      unique: true,
    }),
  },
  derived: {
    _occupied: derived(
      'boolean',
      (column) => sql`(not ${column('enabled')} or ${column('installed_device')} is not null)`,
      { isTyped: true },
    ),
  },

  brief: ['id', 'url', 'display', 'device', 'name', 'enabled', 'description', '_occupied'],

  filters: {
    installed_device: related('installed_device', 'dcim.device', 'name'),
  },
})
