import type { RegisteredModel } from '../registered-model.ts'
import { ikePolicy, ikePolicyBehaviour, ikePolicyView } from './ike-policy.ts'
import { ikeProposal, ikeProposalView } from './ike-proposal.ts'
import { ipsecPolicy, ipsecPolicyView } from './ipsec-policy.ts'
import { ipsecProfile, ipsecProfileView } from './ipsec-profile.ts'
import { ipsecProposal, ipsecProposalBehaviour, ipsecProposalView } from './ipsec-proposal.ts'
import { l2vpn, l2vpnView } from './l2vpn.ts'
import { l2vpnTermination, l2vpnTerminationBehaviour, l2vpnTerminationView } from './l2vpn-termination.ts'
import { tunnel, tunnelView } from './tunnel.ts'
import { tunnelGroup, tunnelGroupView } from './tunnel-group.ts'
import { tunnelTermination, tunnelTerminationBehaviour, tunnelTerminationView } from './tunnel-termination.ts'

/** Tunnels, their security, and L2VPNs. */
export const VPN: readonly RegisteredModel[] = [
  { model: ikePolicy, behaviour: ikePolicyBehaviour, view: ikePolicyView },
  { model: ikeProposal, view: ikeProposalView },
  { model: ipsecPolicy, view: ipsecPolicyView },
  { model: ipsecProfile, view: ipsecProfileView },
  { model: ipsecProposal, behaviour: ipsecProposalBehaviour, view: ipsecProposalView },
  { model: l2vpn, view: l2vpnView },
  { model: l2vpnTermination, behaviour: l2vpnTerminationBehaviour, view: l2vpnTerminationView },
  { model: tunnel, view: tunnelView },
  { model: tunnelGroup, view: tunnelGroupView },
  { model: tunnelTermination, behaviour: tunnelTerminationBehaviour, view: tunnelTerminationView },
]
