import type { Read } from '../../schema/rule.ts'
import type { RuleSettings } from '../../schema/settings.ts'
import { vrf } from './vrf.ts'

/**
 * Name of the routing table if it refuses duplicates of networks and hosts, otherwise undefined: a VRF has a setting
 * of its own; outside any VRF the server's setting applies.
 */
export async function enforcedIn(
  id: number | null,
  read: Read,
  settings: RuleSettings,
): Promise<string | undefined> {
  if (id === null) return settings.enforceGlobalUnique ? 'global table' : undefined
  const { enforce_unique: isStrict, display } = await read.get(vrf, id)
  return isStrict ? `VRF ${display}` : undefined
}
