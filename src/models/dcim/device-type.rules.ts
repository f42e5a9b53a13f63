import { behaviour, type Rule } from '../../schema/rule.ts'
import { deviceBayTemplate } from './component-templates.ts'
import { device } from './device.ts'
import { devicesInRack } from './device-space.ts'
import { deviceType } from './device-type.ts'
import { refuseNegative, weightNeedsUnit } from './measures.rules.ts'
import { rack } from './rack.ts'
import { isFree } from './rack-space.ts'

type DeviceTypeRule = Rule<typeof deviceType.fields>

const heightIsInHalfUnits: DeviceTypeRule = ({ next }) =>
  Number.isInteger(Number(next.u_height) * 2) ? undefined : { u_height: 'Heights must be multiples of half a unit.' }

/** A new height of a type applies to its devices, so each must have enough space in its rack. */
const devicesHaveRoom: DeviceTypeRule = async ({ next, previous, read }) => {
  const height = Number(next.u_height)
  const before = Number(previous?.u_height)
  if (!previous || height === before || (height < before && height > 0)) return
  const mounted = (await read.all(device, { device_type: next.id })).filter(({ position }) => position !== null)
  if (height === 0) {
    return mounted.length > 0 ? { u_height: `${mounted.length} devices of this type are mounted in racks.` } : undefined
  }
  for (const device of mounted) {
    if (device.rack === null) continue
    const frame = await read.get(rack, device.rack)
    const otherDevices = await devicesInRack(read, device.rack, [device.id])
    const face = next.is_full_depth ? null : device.face
    if (!isFree(frame, { position: Number(device.position), height, face }, otherDevices)) {
      return { u_height: `${device.display} in ${frame.display} has no room for ${height} units.` }
    }
  }
  return
}

const baysNeedParent: DeviceTypeRule = async ({ next, previous, read }) => {
  if (!previous || next.subdevice_role === 'parent') return
  const bay = await read.find(deviceBayTemplate, { device_type: next.id })
  // A published importer of types looks for "device bay templates" and "declassifying it as a parent device".
  return bay
    ? {
        subdevice_role: 'Delete the device bay templates of this type before declassifying it as a parent device.',
      }
    : undefined
}

const childHasNoHeight: DeviceTypeRule = ({ next }) =>
  next.subdevice_role === 'child' && Number(next.u_height) !== 0
    ? { u_height: 'A child device type must have a height of 0 U.' }
    : undefined

export const deviceTypeBehaviour = behaviour(deviceType, {
  modelRules: [
    weightNeedsUnit,
    refuseNegative('weight'),
    heightIsInHalfUnits,
    devicesHaveRoom,
    baysNeedParent,
    childHasNoHeight,
  ],
})
