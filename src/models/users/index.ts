import type { RegisteredModel } from '../registered-model.ts'
import { group, groupView } from './group.ts'
import { groupMapping, groupMappingView } from './group-mapping.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { identity } from './identity.ts'
import { loginFailures } from './login-failures.ts'
import { owner, ownerView } from './owner.ts'
import { ownerGroup, ownerGroupView } from './owner-group.ts'
import { permission, permissionView } from './permission.ts'
import { scimGroup } from './scim-group.ts'
import { secondFactor } from './second-factor.ts'
import { session } from './session.ts'
import { token, tokenView } from './token.ts'
import { usedAssertion } from './used-assertion.ts'
import { user, userView } from './user.ts'
import { userConfig } from './user-config.ts'

/** Users, their permissions, tokens and sessions. */
export const USERS: readonly RegisteredModel[] = [
  { model: group, view: groupView },
  { model: groupMapping, view: groupMappingView },
  { model: permission, view: permissionView },
  { model: owner, view: ownerView },
  { model: ownerGroup, view: ownerGroupView },
  { model: token, view: tokenView },
  { model: user, view: userView },
  { model: userConfig },
  { model: idempotencyKey },
  { model: identity },
  { model: loginFailures },
  { model: scimGroup },
  { model: secondFactor },
  { model: session },
  { model: usedAssertion },
]
