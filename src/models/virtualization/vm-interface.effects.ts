import type { EffectFunction } from '../../schema/rule.ts'
import { macAssignments } from '../dcim/base-interface.rules.ts'
import { macAddress } from '../dcim/mac-address.ts'
import { vmInterface } from './vm-interface.ts'

/** A MAC address that a new interface names as its primary one is assigned to that interface. */
export const assignVmPrimaryMac: EffectFunction<typeof vmInterface.fields> = async ({
  action,
  rows,
  write,
}) => {
  const assignments = action === 'create' ? macAssignments(vmInterface.name, rows) : []
  if (assignments.length > 0) await write.update(macAddress, assignments)
}
