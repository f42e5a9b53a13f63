import type { Read } from '../../schema/rule.ts'
import { ipAddress } from '../ipam/ip-address.ts'
import { device } from './device.ts'
import { deviceInterface } from './interface.ts'

/** The fields of a device that its addresses depend on. */
interface Holder {
  readonly id: number
  readonly virtual_chassis: number | null
}

/** Whether an interface belongs to the device, or to a member of its virtual chassis. */
async function isReachable(read: Read, holder: Holder, id: number): Promise<boolean> {
  const carrier = await read.find(deviceInterface, { id })
  if (!carrier) return false
  if (carrier.device === holder.id) return true
  if (holder.virtual_chassis === null || carrier.mgmt_only) return false
  return (await read.get(device, carrier.device)).virtual_chassis === holder.virtual_chassis
}

/**
 * The reason why the address cannot be one of the device's; undefined if it can. `translated`: an address also counts
 * if its NAT counterpart is assigned to the device.
 */
export async function whyNotOwnAddress(
  read: Read,
  holder: Holder,
  id: number,
  { family, translated }: { readonly family?: 4 | 6; readonly translated: boolean },
): Promise<string | undefined> {
  const address = await read.get(ipAddress, id)
  if (family !== undefined && address.address.includes(':') !== (family === 6)) {
    return `${address.display} is not an IPv${family} address.`
  }
  const candidates = [address]
  if (translated && address.nat_inside !== null) {
    candidates.push(await read.get(ipAddress, address.nat_inside))
  }
  for (const { assigned_object_type: type, assigned_object_id: at } of candidates) {
    if (type === 'dcim.interface' && at !== null && (await isReachable(read, holder, at))) return
  }
  return `${address.display} is not assigned to this device.`
}
