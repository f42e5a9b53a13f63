import type { RegisteredModel } from '../../schema/view.ts'
import { groupModel } from './group.ts'
import { groupMappingModel } from './group-mapping.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { identity } from './identity.ts'
import { loginFailures } from './login-failures.ts'
import { ownerModel } from './owner.ts'
import { ownerGroupModel } from './owner-group.ts'
import { permissionModel } from './permission.ts'
import { scimGroup } from './scim-group.ts'
import { secondFactor } from './second-factor.ts'
import { session } from './session.ts'
import { tokenModel } from './token.ts'
import { usedAssertion } from './used-assertion.ts'
import { userModel } from './user.ts'
import { userConfig } from './user-config.ts'

/** Users, their permissions, tokens and sessions. */
export const USERS: readonly RegisteredModel[] = [
  groupModel,
  groupMappingModel,
  permissionModel,
  ownerModel,
  ownerGroupModel,
  tokenModel,
  userModel,
  { model: userConfig },
  { model: idempotencyKey },
  { model: identity },
  { model: loginFailures },
  { model: scimGroup },
  { model: secondFactor },
  { model: session },
  { model: usedAssertion },
]
