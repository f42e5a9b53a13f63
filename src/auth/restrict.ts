import { NEVER_EXEMPT } from '../config/exempt-models.ts'
import { ApiError, forbidden } from '../errors.ts'
import { T } from '../query/alias.ts'
import { columnOf } from '../query/column.ts'
import { type Access, EVERYTHING, NOTHING, type RowScope, type Visibility } from '../query/scope.ts'
import type { Sight } from '../query/within-sight.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { identifier, join, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { Actor, PermissionAction } from './actor.ts'
import { isUnconditional, satisfiesConstraint } from './constraint.ts'
import { grantKey } from './grants.ts'

/** Rows on which an actor may act: all, or those that satisfy the predicate over alias `t`. */
export type Scope = RowScope

/** Settings that decide on access. */
export interface AccessSettings {
  readonly exemptViewPermissions: readonly string[]
  readonly loginRequired: boolean
}

const isExempt = (
  { name, definition }: Model,
  { exemptViewPermissions }: AccessSettings,
): boolean =>
  definition.everybodyMayView === true ||
  exemptViewPermissions.includes(name) ||
  (exemptViewPermissions.includes('*') && !NEVER_EXEMPT.has(name))

/**
 * Rows of `model` on which the actor may perform `action`. Every query uses it, or reads tables through `sightOf`.
 * Throws `unauthenticated` for an anonymous actor and `forbidden` for a user without such a permission.
 */
export function restrict(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): Scope {
  const granted = grantedRows(actor, action, model, settings)
  const { visible, visibleWith } = model.definition
  const user = actor.kind === 'user' ? actor : undefined
  if (user?.isSuperuser || action === 'add') return granted
  const conditions: Sql[] = granted === 'all' ? [] : [granted]
  if (visible) conditions.push(visible(columnOf(model, T), user?.id))
  if (visibleWith) conditions.push(leadsToVisible(actor, model, visibleWith, settings))
  return conditions.length === 0 ? 'all' : sql`(${join(conditions, ' and ')})`
}

/** Rows whose generic relation points at an existing object that the actor may view. */
function leadsToVisible(
  actor: Actor,
  model: Model,
  relation: string,
  settings: AccessSettings,
): Sql {
  const steps = [...model.steps].flatMap(([name, step]) =>
    step.kind === 'genericTo' && name.startsWith(`${relation}:`) ? [step] : [],
  )
  const open: string[] = []
  const conditions: Sql[] = []
  for (const { to, typeColumn, idColumn } of steps) {
    const scope = scopeOf(actor, 'view', to, settings)
    if (scope === 'all') open.push(to.name)
    else if (scope !== NOTHING) {
      conditions.push(
        sql`(t.${identifier(typeColumn.name)} = ${to.name} and t.${identifier(idColumn.name)} in (select t.id from ${table(to)} t where ${scope}))`,
      )
    }
  }
  const [first] = steps
  if (first && open.length > 0) {
    conditions.push(sql`t.${identifier(first.typeColumn.name)} = any(${open}::text[])`)
  }
  return conditions.length === 0 ? NOTHING : sql`(${join(conditions, ' or ')})`
}

/** Rows that satisfy the actor's permissions. */
function grantedRows(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): Scope {
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
  const alternatives = constraints.map((constraint) =>
    satisfiesConstraint(model, constraint, actor.id),
  )
  // In parentheses, because callers append it after an `and`.
  return sql`(${join(alternatives, ' or ')})`
}

/** True where the actor may perform the action on at least some rows. */
export function mayAct(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): boolean {
  return scopeOf(actor, action, model, settings) !== NOTHING
}

/** As `restrict`, but `NOTHING` where the actor lacks the permission. */
export function scopeOf(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): Scope {
  try {
    return restrict(actor, action, model, settings)
  } catch (error) {
    if (error instanceof ApiError) return NOTHING
    throw error
  }
}

/** Tables as the actor sees them, for whole statements: see `withinSight`. */
export function sightOf(actor: Actor, registry: Registry, settings: AccessSettings): Sight {
  if (actor.kind === 'user' && actor.isSuperuser) return { registry, access: EVERYTHING }
  const cached = new Map<Model, Visibility>()
  const access: Access = (model) => {
    const visibility = cached.get(model) ?? visibilityOf(actor, model, settings)
    cached.set(model, visibility)
    return visibility
  }
  return { registry, access }
}

/** Permissions cannot name internal models: their rows are visible with the objects that they refer to. */
function visibilityOf(actor: Actor, model: Model, settings: AccessSettings): Visibility {
  const scope = scopeOf(actor, 'view', model, settings)
  return scope === NOTHING && model.definition.private ? 'related' : scope
}
