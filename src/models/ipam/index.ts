import type { RegisteredModel } from '../registered-model.ts'
import { aggregateBehaviour } from './aggregate.rules.ts'
import { aggregate } from './aggregate.ts'
import { aggregateView } from './aggregate.view.ts'
import { asn } from './asn.ts'
import { asnView } from './asn.view.ts'
import { asnRangeBehaviour } from './asn-range.rules.ts'
import { asnRange } from './asn-range.ts'
import { asnRangeView } from './asn-range.view.ts'
import { fhrpGroup } from './fhrp-group.ts'
import { fhrpGroupView } from './fhrp-group.view.ts'
import { fhrpGroupAssignment } from './fhrp-group-assignment.ts'
import { fhrpGroupAssignmentView } from './fhrp-group-assignment.view.ts'
import { ipAddressBehaviour } from './ip-address.rules.ts'
import { ipAddress } from './ip-address.ts'
import { ipAddressView } from './ip-address.view.ts'
import { ipRangeBehaviour } from './ip-range.rules.ts'
import { ipRange } from './ip-range.ts'
import { ipRangeView } from './ip-range.view.ts'
import { prefixBehaviour } from './prefix.rules.ts'
import { prefix } from './prefix.ts'
import { prefixView } from './prefix.view.ts'
import { rir } from './rir.ts'
import { rirView } from './rir.view.ts'
import { role } from './role.ts'
import { roleView } from './role.view.ts'
import { routeTarget } from './route-target.ts'
import { routeTargetView } from './route-target.view.ts'
import { service } from './service.ts'
import { serviceView } from './service.view.ts'
import { serviceTemplate } from './service-template.ts'
import { serviceTemplateView } from './service-template.view.ts'
import { vlanBehaviour } from './vlan.rules.ts'
import { vlan } from './vlan.ts'
import { vlanView } from './vlan.view.ts'
import { vlanGroupBehaviour } from './vlan-group.rules.ts'
import { vlanGroup } from './vlan-group.ts'
import { vlanGroupView } from './vlan-group.view.ts'
import { vlanTranslationPolicy } from './vlan-translation-policy.ts'
import { vlanTranslationPolicyView } from './vlan-translation-policy.view.ts'
import { vlanTranslationRule } from './vlan-translation-rule.ts'
import { vlanTranslationRuleView } from './vlan-translation-rule.view.ts'
import { vrf } from './vrf.ts'
import { vrfView } from './vrf.view.ts'

/** Addresses, prefixes, VLANs and services. */
export const IPAM: readonly RegisteredModel[] = [
  { model: aggregate, behaviour: aggregateBehaviour, view: aggregateView },
  { model: asn, view: asnView },
  { model: asnRange, behaviour: asnRangeBehaviour, view: asnRangeView },
  { model: fhrpGroup, view: fhrpGroupView },
  { model: fhrpGroupAssignment, view: fhrpGroupAssignmentView },
  { model: ipAddress, behaviour: ipAddressBehaviour, view: ipAddressView },
  { model: ipRange, behaviour: ipRangeBehaviour, view: ipRangeView },
  { model: prefix, behaviour: prefixBehaviour, view: prefixView },
  { model: rir, view: rirView },
  { model: role, view: roleView },
  { model: routeTarget, view: routeTargetView },
  { model: service, view: serviceView },
  { model: serviceTemplate, view: serviceTemplateView },
  { model: vlan, behaviour: vlanBehaviour, view: vlanView },
  { model: vlanGroup, behaviour: vlanGroupBehaviour, view: vlanGroupView },
  { model: vlanTranslationPolicy, view: vlanTranslationPolicyView },
  { model: vlanTranslationRule, view: vlanTranslationRuleView },
  { model: vrf, view: vrfView },
]
