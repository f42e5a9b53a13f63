import type { RegisteredModel } from '../registered-model.ts'
import { group } from './group.ts'
import { groupView } from './group.view.ts'
import { idempotencyKey } from './idempotency-key.ts'
import { identity } from './identity.ts'
import { loginFailures } from './login-failures.ts'
import { owner } from './owner.ts'
import { ownerView } from './owner.view.ts'
import { ownerGroup } from './owner-group.ts'
import { ownerGroupView } from './owner-group.view.ts'
import { permission } from './permission.ts'
import { permissionView } from './permission.view.ts'
import { session } from './session.ts'
import { token } from './token.ts'
import { tokenView } from './token.view.ts'
import { user } from './user.ts'
import { userView } from './user.view.ts'
import { userConfig } from './user-config.ts'

/** Users, their permissions, tokens and sessions. */
export const USERS: readonly RegisteredModel[] = [
  { model: group, view: groupView },
  { model: permission, view: permissionView },
  { model: owner, view: ownerView },
  { model: ownerGroup, view: ownerGroupView },
  { model: token, view: tokenView },
  { model: user, view: userView },
  { model: userConfig },
  { model: idempotencyKey },
  { model: identity },
  { model: loginFailures },
  { model: session },
]
