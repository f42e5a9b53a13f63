import type { RegisteredModel } from '../../schema/view.ts'
import { aggregateModel } from './aggregate.ts'
import { asnModel } from './asn.ts'
import { asnRangeModel } from './asn-range.ts'
import { fhrpGroupModel } from './fhrp-group.ts'
import { fhrpGroupAssignmentModel } from './fhrp-group-assignment.ts'
import { ipAddressModel } from './ip-address.view.ts'
import { ipRangeModel } from './ip-range.ts'
import { prefixModel } from './prefix.ts'
import { rirModel } from './rir.ts'
import { roleModel } from './role.ts'
import { routeTargetModel } from './route-target.ts'
import { serviceModel } from './service.ts'
import { serviceTemplateModel } from './service-template.ts'
import { vlanModel } from './vlan.ts'
import { vlanGroupModel } from './vlan-group.ts'
import { vlanTranslationPolicyModel } from './vlan-translation-policy.ts'
import { vlanTranslationRuleModel } from './vlan-translation-rule.ts'
import { vrfModel } from './vrf.ts'

/** Addresses, prefixes, VLANs and services. */
export const IPAM: readonly RegisteredModel[] = [
  aggregateModel,
  asnModel,
  asnRangeModel,
  fhrpGroupModel,
  fhrpGroupAssignmentModel,
  ipAddressModel,
  ipRangeModel,
  prefixModel,
  rirModel,
  roleModel,
  routeTargetModel,
  serviceModel,
  serviceTemplateModel,
  vlanModel,
  vlanGroupModel,
  vlanTranslationPolicyModel,
  vlanTranslationRuleModel,
  vrfModel,
]
