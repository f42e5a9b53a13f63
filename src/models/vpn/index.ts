import type { RegisteredModel } from '../registered-model.ts'
import { ikePolicyBehaviour } from './ike-policy.rules.ts'
import { ikePolicy } from './ike-policy.ts'
import { ikePolicyView } from './ike-policy.view.ts'
import { ikeProposal } from './ike-proposal.ts'
import { ikeProposalView } from './ike-proposal.view.ts'
import { ipsecPolicy } from './ipsec-policy.ts'
import { ipsecPolicyView } from './ipsec-policy.view.ts'
import { ipsecProfile } from './ipsec-profile.ts'
import { ipsecProfileView } from './ipsec-profile.view.ts'
import { ipsecProposalBehaviour } from './ipsec-proposal.rules.ts'
import { ipsecProposal } from './ipsec-proposal.ts'
import { ipsecProposalView } from './ipsec-proposal.view.ts'
import { l2vpn } from './l2vpn.ts'
import { l2vpnView } from './l2vpn.view.ts'
import { l2vpnTerminationBehaviour } from './l2vpn-termination.rules.ts'
import { l2vpnTermination } from './l2vpn-termination.ts'
import { l2vpnTerminationView } from './l2vpn-termination.view.ts'
import { tunnel } from './tunnel.ts'
import { tunnelView } from './tunnel.view.ts'
import { tunnelGroup } from './tunnel-group.ts'
import { tunnelGroupView } from './tunnel-group.view.ts'
import { tunnelTerminationBehaviour } from './tunnel-termination.rules.ts'
import { tunnelTermination } from './tunnel-termination.ts'
import { tunnelTerminationView } from './tunnel-termination.view.ts'

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
