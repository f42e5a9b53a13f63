import { type Rule, rulesFor } from '../../schema/rule.ts'
import { ikePolicy } from './ike-policy.ts'

/** The first version of IKE has modes, the second has none. */
const modeFitsVersion: Rule<typeof ikePolicy.fields> = ({ next }) => {
  if (next.version === 1 && !next.mode) return { __all__: 'IKEv1 needs a mode.' }
  if (next.version === 2 && next.mode) return { __all__: 'IKEv2 has no mode.' }
  return
}

export const ikePolicyRules = rulesFor(ikePolicy, modeFitsVersion)
