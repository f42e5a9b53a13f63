import type { Read } from '../../schema/rule.ts'
import { device } from './device.ts'
import { deviceType } from './device-type.ts'
import type { Mounted } from './rack-space.ts'

/** Stored devices that occupy space in a rack, except the given ones. */
export async function devicesInRack(read: Read, rack: number, without: readonly number[]): Promise<readonly Mounted[]> {
  const devices = (await read.all(device, { rack })).filter(({ id }) => !without.includes(id))
  return mountedOf(read, devices)
}

/** The space that devices occupy; those without a position occupy none. */
export async function mountedOf(
  read: Read,
  devices: readonly {
    readonly device_type: number
    readonly position: string | null
    readonly face: string | null
  }[],
): Promise<readonly Mounted[]> {
  const placed = devices.filter(({ position }) => position !== null)
  const types = await read.getMany(deviceType, [...new Set(placed.map((device) => device.device_type))])
  const byId = new Map(types.map((type) => [type.id, type]))
  return placed.flatMap(({ device_type, position, face }) => {
    const type = byId.get(device_type)
    if (!type) return []
    const height = Number(type.u_height)
    return [{ position: Number(position), height, face, isFullDepth: type.is_full_depth }]
  })
}
