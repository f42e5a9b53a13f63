import { ApiError, forbidden } from '../base/errors.ts'
import { NEVER_EXEMPT } from '../config/exempt-models.ts'
import { T } from '../read/query/alias.ts'
import { columnOf } from '../read/query/column.ts'
import { allVisible, NO_ROWS, type RowPredicate, type VisibleRows } from '../read/query/row-predicate.ts'
import type { RowSecurity } from '../read/query/row-security.ts'
import type { VisibleWith } from '../schema/model.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Model, Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { identifier, join, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { Actor, PermissionAction, User } from './actor.ts'
import { isUnconditional, satisfiesConstraint } from './constraint.ts'
import { type Grants, grantKey } from './grants.ts'
import { requireUser } from './require-user.ts'

/** The part of the configuration that decides on access. */
export interface AccessSettings {
  readonly exemptViewPermissions: readonly string[]
  readonly loginRequired: boolean
}

const isExempt = ({ name, definition }: Model, { exemptViewPermissions }: AccessSettings): boolean =>
  definition.everybodyMayView === true ||
  exemptViewPermissions.includes(name) ||
  (exemptViewPermissions.includes('*') && !NEVER_EXEMPT.has(name))

/**
 * Rows of `model` on which the actor may perform `action`. Every query finds its rows with this, or reads its tables
 * through `rowSecurityOf`. Throws `unauthenticated` for an anonymous actor and `forbidden` for a user who may not
 * perform it on any row.
 */
export function permittedRows(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): RowPredicate | 'all' {
  const granted = grantedRows(actor, action, model, settings)
  const { visible, visibleWith } = model.definition
  const user = actor.kind === 'user' ? actor : undefined
  if (user?.isSuperuser || action === 'add') return granted
  const conditions: Sql[] = granted === 'all' ? [] : [granted]
  if (visible) conditions.push(visible(columnOf(model, T), user?.id))
  if (visibleWith) conditions.push(refersToVisible(actor, model, visibleWith, settings))
  return conditions.length === 0 ? 'all' : sql`(${join(conditions, ' and ')})`
}

/** Throws `unauthenticated` or `forbidden` if the actor may not perform the action on any row of the model. */
export function requirePermission(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): void {
  permittedRows(actor, action, model, settings)
}

/** As `permittedRows`; `NO_ROWS` if the actor may not perform the action on any row. */
export function permittedRowsOrNone(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): RowPredicate | 'all' {
  try {
    return permittedRows(actor, action, model, settings)
  } catch (error) {
    if (error instanceof ApiError) return NO_ROWS
    throw error
  }
}

/** Whether the actor may perform the action on any row of the model. Compiles no predicate: pages ask often. */
export const mayAct = (actor: Actor, action: PermissionAction, model: Model, settings: AccessSettings): boolean =>
  (actor.kind === 'user' && (actor.isSuperuser || actor.grants?.has(grantKey(action, model.name)) === true)) ||
  (action === 'view' && isExempt(model, settings))

/** Rows whose relation leads to an object that the actor may view, or to a deleted one. */
function refersToVisible(actor: Actor, model: Model, visibleWith: VisibleWith, settings: AccessSettings): Sql {
  const { relation, orDeleted = false, orNone = false, types } = visibleWith
  const back = model.steps.get(relation)
  if (back?.kind === 'reverseForeignKey' && back.to.definition.visibleWith) {
    const { to, column } = back
    const referring = (where: Sql) =>
      sql`t.id in (select t.${identifier(column.name)} from ${table(to)} t where ${where})`
    const hasVisible = referring(refersToVisible(actor, to, back.to.definition.visibleWith, settings))
    if (!orNone || actor.kind !== 'user' || !mayAct(actor, 'add', to, settings)) return hasVisible
    // Rows that lost their objects stay hidden from others, who may not have seen these.
    const isOwn = sql`t.id in (
      select c.changed_object_id from ${table(SYSTEM.objectChange)} c
      where c.changed_object_type = ${model.name} and c.action = 'create' and c.user_id = ${actor.id}::bigint)`
    return sql`(${hasVisible} or (${isOwn} and not ${referring(sql`true`)}))`
  }
  const steps = [...model.steps].flatMap(([name, step]) =>
    step.kind === 'genericTo' && name.startsWith(`${relation}:`) ? [step] : [],
  )
  const open: string[] = []
  const conditions: Sql[] = []
  for (const { to, typeColumn, idColumn } of steps) {
    const rows = permittedRowsOrNone(actor, 'view', to, settings)
    if (rows === 'all') open.push(to.name)
    else if (rows !== NO_ROWS) {
      const id = sql`t.${identifier(idColumn.name)}`
      const isVisible = sql`${id} in (select t.id from ${table(to)} t where ${rows})`
      const isShown = orDeleted
        ? sql`(${isVisible} or not exists (select from ${table(to)} target where target.id = ${id}))`
        : isVisible
      conditions.push(sql`(t.${identifier(typeColumn.name)} = ${to.name} and ${isShown})`)
    }
  }
  const [first] = steps
  if (first && open.length > 0) {
    conditions.push(sql`t.${identifier(first.typeColumn.name)} = any(${open}::text[])`)
  }
  if (first && orDeleted) {
    // Only the service itself refers to objects of other types: it notifies users when their jobs end.
    const offered = steps.map(({ to }) => to.name)
    conditions.push(sql`t.${identifier(first.typeColumn.name)} <> all(${offered}::text[])`)
  }
  if (first && orNone) conditions.push(sql`t.${identifier(first.typeColumn.name)} is null`)
  if (conditions.length === 0) return NO_ROWS
  const isRelated = sql`(${join(conditions, ' or ')})`
  if (types === undefined) return isRelated
  const wholly = steps.flatMap(({ to }) =>
    permittedRowsOrNone(actor, 'view', to, settings) === 'all' ? [to.name] : [],
  )
  return sql`(${isRelated} and t.${identifier(types)} <@ ${wholly}::text[])`
}

/**
 * Rows that the actor's permissions select. Unlike `permittedRows`, it leaves out the model's own restrictions
 * (`visible`, `visibleWith`), which the caller has to apply. Throws as `permittedRows` does.
 */
export function grantedRows(
  actor: Actor,
  action: PermissionAction,
  model: Model,
  settings: AccessSettings,
): RowPredicate | 'all' {
  if (action === 'view' && isExempt(model, settings)) return 'all'
  const { id, isSuperuser, grants } = requireUser({ actor })
  if (isSuperuser) return 'all'
  const constraints = grants?.get(grantKey(action, model.name))
  if (!constraints) {
    const mayPropose = PROPOSED_ACTIONS.has(action) && grants?.has(grantKey(PROPOSE, model.name))
    throw mayPropose ? forbidden(proposalOf(model)) : forbidden(undefined, { action, model: model.name })
  }
  if (constraints.some(isUnconditional)) return 'all'
  const alternatives = constraints.map((constraint) => satisfiesConstraint(model, constraint, id))
  // In parentheses: callers put it after an `and`.
  return sql`(${join(alternatives, ' or ')})`
}

/** The permission to add, change and delete objects only in branches. */
export const PROPOSE = 'propose'
const PROPOSED_ACTIONS: ReadonlySet<PermissionAction> = new Set(['add', 'change', 'delete'])

const proposalOf = ({ definition }: Model): string =>
  `You may propose changes of ${definition.labels[1]}, not make them. Name a branch (?branch=<name>), and ask for its merge by a change request.`

/** Row-level security of the actor, for whole statements: see `applyRowSecurity`. */
export function rowSecurityOf(actor: Actor, registry: Registry, settings: AccessSettings): RowSecurity {
  if (actor.kind === 'user' && actor.isSuperuser) return { registry, visibleRows: allVisible }
  const cached = new Map<Model, ReturnType<VisibleRows>>()
  const visibleRows: VisibleRows = (model) => {
    const rows = cached.get(model) ?? viewableRows(actor, model, settings)
    cached.set(model, rows)
    return rows
  }
  return { registry, visibleRows }
}

function viewableRows(actor: Actor, model: Model, settings: AccessSettings): ReturnType<VisibleRows> {
  const rows = permittedRowsOrNone(actor, 'view', model, settings)
  // No permission can name a private model: its rows belong to the objects that they refer to.
  return rows === NO_ROWS && model.definition.private ? 'related' : rows
}

/** The actor with the permissions that apply in a branch, where permission to propose is enough. */
export const actorInBranch = (actor: Actor): Actor => (actor.kind === 'user' ? userInBranch(actor) : actor)

/** As `actorInBranch`. */
export const userInBranch = oncePer(
  (user: User): User => (user.grants ? { ...user, grants: withProposals(user.grants) } : user),
)

function withProposals(grants: Grants): Grants {
  const proposals = [...grants].filter(([key]) => key.startsWith(grantKey(PROPOSE, '')))
  if (proposals.length === 0) return grants
  const all = new Map(grants)
  for (const [key, constraints] of proposals) {
    const model = key.slice(grantKey(PROPOSE, '').length)
    for (const action of PROPOSED_ACTIONS) {
      const name = grantKey(action, model)
      all.set(name, [...(all.get(name) ?? []), ...constraints])
    }
  }
  return all
}
