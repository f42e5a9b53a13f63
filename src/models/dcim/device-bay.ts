import { description } from '../../schema/common.ts'
import { boolean, derived, foreignKey } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { component, fillComponentPlace, labelled, ofDevice, staysInDevice } from './component.ts'
import { PLACE_FILTERS } from './component-view.ts'
import { device } from './device.ts'
import { deviceType } from './device-type.ts'

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

  filters: { installed_device: related('installed_device', 'dcim.device', 'name') },
})

type BayRule = Rule<typeof deviceBay.fields>

const deviceTakesChildren: BayRule = async ({ next, read }) => {
  const holder = await read.get(device, next.device)
  const type = await read.get(deviceType, holder.device_type)
  return type.subdevice_role === 'parent'
    ? undefined
    : { __all__: `Devices of type ${type.display} have no device bays.` }
}

/** A device that is already installed may stay. */
const disabledStaysEmpty: BayRule = ({ next, previous }) =>
  next.installed_device !== null && !next.enabled && previous?.installed_device !== next.installed_device
    ? { installed_device: 'The device bay is disabled.' }
    : undefined

const notInItself: BayRule = ({ next }) =>
  next.installed_device === next.device ? { __all__: 'A device cannot be installed in itself.' } : undefined

export const deviceBayModel = registered(deviceBay, {
  behaviour: behaviour(deviceBay, {
    modelRules: [staysInDevice, deviceTakesChildren, disabledStaysEmpty, notInItself],
    beforeSave: [fillComponentPlace],
  }),
  context: ['device'],
  columns: words('name device label enabled installed_device description'),
  moreColumns: words(`
    id installed_device.role installed_device.device_type installed_device.description
    installed_device.serial installed_device.asset_tag tags created last_updated device.location
    device.site device.status
  `),
  labels: {
    ...titled('installed_device device.location device.site device.status'),
    'installed_device.role': 'Installed Role',
    'installed_device.device_type': 'Installed Type',
    'installed_device.description': 'Installed Description',
    'installed_device.serial': 'Installed Serial',
    'installed_device.asset_tag': 'Installed Asset Tag',
  },
  panels: [
    { 'Device bay': words('device name label description') },
    { 'Installed Device': words('installed_device installed_device.device_type') },
  ],
  cloned: words('device enabled'),
  form: words('device name label enabled description tags'),
  filters: { Attributes: words('name label enabled'), ...PLACE_FILTERS },
  bulkEdit: { without: ['device'] },
  imports: { plus: ['installed_device.name'] },
  search: { shown: words('device label description') },
})
