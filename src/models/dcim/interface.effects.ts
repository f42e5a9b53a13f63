import type { EffectFunction } from '../../schema/rule.ts'
import { macAssignments } from './base-interface.rules.ts'
import { deviceInterface } from './interface.ts'
import { macAddress } from './mac-address.ts'

/** A MAC address that a new interface names as its primary one is assigned to that interface. */
export const assignPrimaryMac: EffectFunction<typeof deviceInterface.fields> = async ({
  action,
  rows,
  write,
}) => {
  const assignments = action === 'create' ? macAssignments(deviceInterface.name, rows) : []
  if (assignments.length > 0) await write.update(macAddress, assignments)
}
