import { ApiError, forbidden } from '../errors.ts'
import { T } from '../query/alias.ts'
import { columnOf } from '../query/column.ts'
import type { Model } from '../schema/registry.ts'
import { join, type Sql, sql } from '../sql/fragment.ts'
import type { Action, Actor } from './actor.ts'
import { isUnconditional, satisfies } from './constraint.ts'
import { grantKey } from './grants.ts'

/** Rows on which an actor may act: all, or those for which the predicate over alias `t` holds. */
export type Scope = 'all' | Sql

/** Models that `EXEMPT_VIEW_PERMISSIONS: *` leaves out (NetBox 4.6.8, auth.md). */
const NEVER_EXEMPT: ReadonlySet<string> = new Set([
  'core.configrevision',
  'users.group',
  'users.objectpermission',
  'users.token',
  'users.user',
])

/** The part of the configuration that decides on access. */
export interface AccessSettings {
  readonly exemptViewPermissions: readonly string[]
  readonly loginRequired: boolean
}

const isExempt = (model: Model, { exemptViewPermissions }: AccessSettings): boolean =>
  exemptViewPermissions.includes(model.name) ||
  (exemptViewPermissions.includes('*') && !NEVER_EXEMPT.has(model.name))

/**
 * Rows of `model` on which the actor may perform `action`; every query of every room asks here.
 * Throws `unauthenticated` for nobody and `forbidden` for a user who may not do it to any row.
 */
export function restrict(
  actor: Actor,
  action: Action,
  model: Model,
  settings: AccessSettings,
): Scope {
  const granted = grantedRows(actor, action, model, settings)
  const { visible } = model.definition
  const user = actor.kind === 'user' ? actor : undefined
  if (!visible || user?.isSuperuser || action === 'add') return granted
  const own = visible(columnOf(model, T), user?.id)
  return granted === 'all' ? own : sql`(${granted} and ${own})`
}

/** Rows that the actor's permissions name. */
function grantedRows(actor: Actor, action: Action, model: Model, settings: AccessSettings): Scope {
  if (action === 'view' && isExempt(model, settings)) return 'all'
  if (actor.kind === 'anonymous') {
    throw new ApiError({
      kind: 'unauthenticated',
      detail: 'Authentication credentials were not provided.',
    })
  }
  if (actor.isSuperuser) return 'all'
  const constraints = actor.grants?.get(grantKey(action, model.name))
  if (!constraints) throw forbidden()
  if (constraints.some(isUnconditional)) return 'all'
  const alternatives = constraints.map((constraint) => satisfies(model, constraint, actor.id))
  // In parentheses: whoever asks puts it behind an `and`.
  return sql`(${join(alternatives, ' or ')})`
}

/** Whether the actor may do it to any row at all. */
export function mayAct(
  actor: Actor,
  action: Action,
  model: Model,
  settings: AccessSettings,
): boolean {
  try {
    restrict(actor, action, model, settings)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
