import type { EffectFunction } from '../../schema/rule.ts'
import { macAssignments } from '../dcim/base-interface.rules.ts'
import { macAddress } from '../dcim/mac-address.ts'
import { vmInterface } from './vm-interface.ts'

/** Assigns the primary MAC address of a new interface to it. */
export const assignVmPrimaryMac: EffectFunction<typeof vmInterface.fields> = async ({
  action,
  rows,
  write,
}) => {
  const assignments = action === 'create' ? macAssignments(vmInterface.name, rows) : []
  if (assignments.length > 0) await write.update(macAddress, assignments)
}
