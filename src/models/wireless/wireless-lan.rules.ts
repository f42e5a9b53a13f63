import { behaviour } from '../../schema/rule.ts'
import { fillScopePlaces } from '../dcim/scope.rules.ts'
import { scopeTypeNeedsObject } from '../dcim/scope-type.rules.ts'
import { wirelessLan } from './wireless-lan.ts'

export const wirelessLanBehaviour = behaviour(wirelessLan, {
  serializerRules: [scopeTypeNeedsObject],
  beforeSave: [fillScopePlaces],
})
