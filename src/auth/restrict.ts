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

/** Rows on which an actor may act: all, or those for which the predicate over alias `t` holds. */
export type Scope = RowScope

/** The part of the configuration that decides on access. */
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
 * Rows of `model` on which the actor may perform `action`; every query of every room asks here, or takes
 * its tables as `sightOf` shows them. Throws `unauthenticated` for nobody and `forbidden` for a user who may
 * not do it to any row.
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

/** Rows whose generic relation leads to an object that is there and that the actor may see. */
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

/** Rows that the actor's permissions name. */
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
  // In parentheses: whoever asks puts it behind an `and`.
  return sql`(${join(alternatives, ' or ')})`
}

/** Whether the actor may do it to any row at all. */
export function mayAct(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): boolean {
  return scopeOf(actor, action, model, settings) !== NOTHING
}

/** As `restrict`; `NOTHING` where the actor may not do it to any row. */
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
  const known = new Map<Model, Visibility>()
  const access: Access = (model) => {
    const visibility = known.get(model) ?? visibilityOf(actor, model, settings)
    known.set(model, visibility)
    return visibility
  }
  return { registry, access }
}

/** Nobody is given permissions for what no permission can name: it is part of what it refers to. */
function visibilityOf(actor: Actor, model: Model, settings: AccessSettings): Visibility {
  const scope = scopeOf(actor, 'view', model, settings)
  return scope === NOTHING && model.definition.private ? 'related' : scope
}
