import type { Constraint } from '../config/default-permissions.ts'
import type { User } from './actor.ts'
import { grantKey } from './grants.ts'

const ACTIONS = ['view', 'add', 'change', 'delete']

/** Objects that belong to the user who asks. */
const OWN: Constraint = { user: '$user' }

/**
 * The same user, who may do to objects of their own what they may do to any, and nothing to those of others:
 * superusers too, whose own affairs some pages are about. `model` has a field `user`.
 */
export function restrictToOwn(user: User, model: string): User {
  const grants = ACTIONS.flatMap((action): [string, readonly Constraint[]][] => {
    const key = grantKey(action, model)
    const given = user.isSuperuser ? [{}] : user.grants?.get(key)
    return given
      ? [[key, given.filter(concernsOwn(user)).map((each) => ({ ...each, ...OWN }))]]
      : []
  })
  return { ...user, isSuperuser: false, grants: new Map(grants) }
}

const concernsOwn =
  ({ id }: User) =>
  ({ user = '$user' }: Constraint): boolean =>
    user === '$user' || user === id
