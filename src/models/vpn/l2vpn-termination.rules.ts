import { earlierDuplicates } from '../../schema/earlier-duplicates.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { POINT_TO_POINT_TYPES } from './choices/l2-vpn-type.ts'
import { l2vpn } from './l2vpn.ts'
import { l2vpnTermination } from './l2vpn-termination.ts'

type TerminationFields = typeof l2vpnTermination.fields

const ofSameNetworkBefore = earlierDuplicates<TerminationFields>((row) => String(row.l2vpn))

/** Refuses a third end of a point-to-point network. */
const refuseThirdEnd: Rule<TerminationFields> = async (change) => {
  const { next, batch, read } = change
  const network = await read.get(l2vpn, next.l2vpn)
  if (!POINT_TO_POINT_TYPES.includes(network.type)) return
  const changing = new Set(batch.map(({ id }) => id))
  const stored = await read.all(l2vpnTermination, { l2vpn: next.l2vpn })
  const others = [...stored.filter(({ id }) => !changing.has(id)), ...ofSameNetworkBefore(change)]
  return others.length >= 2
    ? { __all__: `${network.display} connects two points and has both its ends.` }
    : undefined
}

export const l2vpnTerminationBehaviour = rulesFor(l2vpnTermination, refuseThirdEnd)
