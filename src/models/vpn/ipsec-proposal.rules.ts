import { type Rule, rulesFor } from '../../schema/rule.ts'
import { ipsecProposal } from './ipsec-proposal.ts'

const demandAlgorithm: Rule<typeof ipsecProposal.fields> = ({ next }) =>
  next.encryption_algorithm || next.authentication_algorithm
    ? undefined
    : { __all__: 'A proposal needs an encryption or an authentication algorithm.' }

export const ipsecProposalBehaviour = rulesFor(ipsecProposal, demandAlgorithm)
