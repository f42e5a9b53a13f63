import type { RegisteredModel } from '../../schema/view.ts'
import { ikePolicyModel } from './ike-policy.ts'
import { ikeProposalModel } from './ike-proposal.ts'
import { ipsecPolicyModel } from './ipsec-policy.ts'
import { ipsecProfileModel } from './ipsec-profile.ts'
import { ipsecProposalModel } from './ipsec-proposal.ts'
import { l2vpnModel } from './l2vpn.ts'
import { l2vpnTerminationModel } from './l2vpn-termination.ts'
import { tunnelModel } from './tunnel.ts'
import { tunnelGroupModel } from './tunnel-group.ts'
import { tunnelTerminationModel } from './tunnel-termination.ts'

/** Tunnels, their security, and L2VPNs. */
export const VPN: readonly RegisteredModel[] = [
  ikePolicyModel,
  ikeProposalModel,
  ipsecPolicyModel,
  ipsecProfileModel,
  ipsecProposalModel,
  l2vpnModel,
  l2vpnTerminationModel,
  tunnelModel,
  tunnelGroupModel,
  tunnelTerminationModel,
]
