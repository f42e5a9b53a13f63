import type { RegisteredModel } from '../registered-model.ts'
import { aggregate, aggregateBehaviour, aggregateView } from './aggregate.ts'
import { asn, asnView } from './asn.ts'
import { asnRange, asnRangeBehaviour, asnRangeView } from './asn-range.ts'
import { fhrpGroup, fhrpGroupView } from './fhrp-group.ts'
import { fhrpGroupAssignment, fhrpGroupAssignmentView } from './fhrp-group-assignment.ts'
import { ipAddressBehaviour } from './ip-address.rules.ts'
import { ipAddress, ipAddressView } from './ip-address.ts'
import { ipRange, ipRangeBehaviour, ipRangeView } from './ip-range.ts'
import { prefix, prefixBehaviour, prefixView } from './prefix.ts'
import { rir, rirView } from './rir.ts'
import { role, roleView } from './role.ts'
import { routeTarget, routeTargetView } from './route-target.ts'
import { service, serviceBehaviour, serviceView } from './service.ts'
import { serviceTemplate, serviceTemplateBehaviour, serviceTemplateView } from './service-template.ts'
import { vlan, vlanBehaviour, vlanView } from './vlan.ts'
import { vlanGroup, vlanGroupBehaviour, vlanGroupView } from './vlan-group.ts'
import { vlanTranslationPolicy, vlanTranslationPolicyView } from './vlan-translation-policy.ts'
import { vlanTranslationRule, vlanTranslationRuleView } from './vlan-translation-rule.ts'
import { vrf, vrfView } from './vrf.ts'

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
  { model: service, behaviour: serviceBehaviour, view: serviceView },
  { model: serviceTemplate, behaviour: serviceTemplateBehaviour, view: serviceTemplateView },
  { model: vlan, behaviour: vlanBehaviour, view: vlanView },
  { model: vlanGroup, behaviour: vlanGroupBehaviour, view: vlanGroupView },
  { model: vlanTranslationPolicy, view: vlanTranslationPolicyView },
  { model: vlanTranslationRule, view: vlanTranslationRuleView },
  { model: vrf, view: vrfView },
]
