import type { EffectFunction } from '../../schema/rule.ts'
import { macAssignments } from './base-interface.rules.ts'
import { deviceInterface } from './interface.ts'
import { macAddress } from './mac-address.ts'

/** Assigns the primary MAC address of a new interface to it. */
export const assignPrimaryMac: EffectFunction<typeof deviceInterface.fields> = async ({
  action,
  rows,
  write,
}) => {
  const assignments = action === 'create' ? macAssignments(deviceInterface.name, rows) : []
  if (assignments.length > 0) await write.update(macAddress, assignments)
}
