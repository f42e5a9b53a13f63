import { type Rule, rulesFor } from '../../schema/rule.ts'
import { ikePolicy } from './ike-policy.ts'

/** A mode is required by version 1 of IKE and refused by version 2. */
const modeFitsVersion: Rule<typeof ikePolicy.fields> = ({ next }) => {
  if (next.version === 1 && !next.mode) return { __all__: 'IKEv1 needs a mode.' }
  if (next.version === 2 && next.mode) return { __all__: 'IKEv2 has no mode.' }
  return
}

export const ikePolicyBehaviour = rulesFor(ikePolicy, modeFitsVersion)
