import type { Constraint } from '../config/default-permissions.ts'
import type { Registry } from '../schema/registry.ts'
import type { User } from './actor.ts'
import { grantKey } from './grants.ts'

const ACTIONS = ['view', 'add', 'change', 'delete']

/** Objects that belong to the user of the request. */
const OWN: Constraint = { user: '$user' }

/**
 * The same user, whose permissions on the model apply to their own objects only; for superusers too, since some pages
 * concern only the user. They can still view the objects of other models, which their own objects may refer to. `model`
 * has a field `user`.
 */
export function restrictToOwn(user: User, model: string, { models }: Registry): User {
  const allGrants: Iterable<[string, readonly Constraint[]]> = user.isSuperuser
    ? [...models.keys()].map((name) => [grantKey('view', name), [{}]])
    : (user.grants ?? [])
  const ownGrants = ACTIONS.flatMap((action): [string, readonly Constraint[]][] => {
    const key = grantKey(action, model)
    const constraints = user.isSuperuser ? [{}] : user.grants?.get(key)
    return constraints
      ? [[key, constraints.filter(concernsOwn(user)).map((constraint) => ({ ...constraint, ...OWN }))]]
      : []
  })
  return { ...user, isSuperuser: false, grants: new Map([...allGrants, ...ownGrants]) }
}

const concernsOwn =
  ({ id }: User) =>
  ({ user = '$user' }: Constraint): boolean =>
    user === '$user' || user === id
