import { type Rule, rulesFor } from '../../schema/rule.ts'
import { vmInterface } from '../virtualization/vm-interface.ts'
import { deviceInterface } from './interface.ts'
import { macAddress } from './mac-address.ts'

/** Refuses to unassign an interface's primary address: another one must become primary first. */
const primaryStays: Rule<typeof macAddress.fields> = async ({ next, previous, read }) => {
  const { assigned_object_type: type, assigned_object_id: id } = previous ?? {}
  if (typeof type !== 'string' || typeof id !== 'number') return
  if (next.assigned_object_type === type && next.assigned_object_id === id) return
  const holder =
    type === 'dcim.interface'
      ? await read.find(deviceInterface, { id })
      : await read.find(vmInterface, { id })
  if (holder?.primary_mac_address !== next.id) return
  return { __all__: `This is the primary MAC address of ${holder.display}.` }
}

export const macAddressBehaviour = rulesFor(macAddress, primaryStays)
