import type { Read } from '../../schema/rule.ts'
import type { RuleSettings } from '../../schema/settings.ts'
import { vrf } from './vrf.ts'

/**
 * Name of the routing table where it does not take the same network or host twice, else undefined: a VRF
 * decides for itself; outside any VRF the server's setting decides.
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
