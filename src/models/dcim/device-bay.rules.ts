import { behaviour, type Rule } from '../../schema/rule.ts'
import { staysInDevice } from './component.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { device } from './device.ts'
import { deviceBay } from './device-bay.ts'
import { deviceType } from './device-type.ts'

type BayRule = Rule<typeof deviceBay.fields>

const deviceTakesChildren: BayRule = async ({ next, read }) => {
  const holder = await read.get(device, next.device)
  const type = await read.get(deviceType, holder.device_type)
  return type.subdevice_role === 'parent'
    ? undefined
    : { __all__: `Devices of type ${type.display} have no device bays.` }
}

/** A device that is installed already may stay. */
const disabledStaysEmpty: BayRule = ({ next, previous }) =>
  next.installed_device !== null &&
  !next.enabled &&
  previous?.installed_device !== next.installed_device
    ? { installed_device: 'The device bay is disabled.' }
    : undefined

const notInItself: BayRule = ({ next }) =>
  next.installed_device === next.device
    ? { __all__: 'A device cannot be installed in itself.' }
    : undefined

export const deviceBayBehaviour = behaviour(deviceBay, {
  modelRules: [staysInDevice, deviceTakesChildren, disabledStaysEmpty, notInItself],
  beforeSave: [fillComponentPlace],
})
