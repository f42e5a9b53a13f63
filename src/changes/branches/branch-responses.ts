import type { Actor } from '../../identity/actor.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import type { Json } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { visibleDisplays } from '../../write/dry-run/affected-objects.ts'
import type { ObjectReference } from '../../write/related-object.ts'
import { textOf } from '../difference/conflict.ts'
import type { BranchConflict } from './branch-conflicts.ts'
import type { BranchFinding } from './branch-findings.ts'

/** A conflict as the reader may see it. */
export interface ConflictDocument {
  readonly object_type: string
  readonly object_id: number
  readonly object_repr: string
  /** `changed`, `deletedOnMain`, `deletedInBranch`, `missing`, `taken`, `circular` or `refused`. */
  readonly reason: BranchConflict['reason']
  /** Null for the object as a whole, which one side has deleted. */
  readonly field: string | null
  readonly detail: string
  readonly base: Json
  readonly main: Json
  readonly branch: Json
  /** Number of objects of main that are deleted too if the branch's version is kept. */
  readonly deletes: number
  /** The object of main that has the value or is missing; null if there is none, or the reader may not view it. */
  readonly other: { readonly object_type: string; readonly object_id: number; readonly display: string } | null
}

/** The conflicts of objects that the actor may view on main or in the branch, and the number of all other conflicts. */
export async function conflictDocuments(
  services: { readonly main: Service; readonly branch: Service },
  actor: Actor,
  conflicts: readonly BranchConflict[],
): Promise<{ readonly visible: readonly ConflictDocument[]; readonly hidden: number }> {
  const displayOf = await namesIn(
    services,
    actor,
    conflicts.flatMap((conflict) => [conflict, ...(conflict.other ? [conflict.other] : [])]),
  )
  const visible = conflicts.flatMap((conflict): readonly ConflictDocument[] => {
    const display = displayOf(conflict)
    if (display === undefined) return []
    const { type, id, field = null, base = null, main = null, branch = null, reason, other, deletes = 0 } = conflict
    const otherDisplay = other && displayOf(other)
    return [
      {
        reason,
        object_type: type,
        object_id: id,
        object_repr: display,
        field,
        detail: sentenceOf(conflict, display, otherDisplay),
        other:
          other && otherDisplay !== undefined
            ? { object_type: other.type, object_id: other.id, display: otherDisplay }
            : null,
        base,
        main,
        branch,
        deletes,
      },
    ]
  })
  return { visible, hidden: conflicts.length - visible.length }
}

/**
 * The findings of objects that the actor may view on main or in the branch. A finding that depends on objects of other
 * types is shown to those who may view all of them.
 */
export async function findingDocuments(
  services: { readonly main: Service; readonly branch: Service },
  actor: Actor,
  findings: readonly BranchFinding[],
): Promise<readonly Json[]> {
  const displayOf = await namesIn(services, actor, findings)
  const { registry, settings } = services.main
  return findings.flatMap(({ rule, reads, type, id, state }): readonly Json[] => {
    const display = displayOf({ type, id })
    const seesAll = [...reads].every((name) => {
      const model = registry.models.get(name)
      return model && permittedRowsOrNone(actor, 'view', model, settings) === 'all'
    })
    if (display === undefined || !seesAll) return []
    const { name, severity, message } = rule
    return [{ state, rule: { id: rule.id, name, severity, message }, object_type: type, object_id: id, display }]
  })
}

/** Looks up the name of an object in the branch, or else on main; undefined if the actor may not view the object. */
async function namesIn(
  services: { readonly main: Service; readonly branch: Service },
  actor: Actor,
  objects: readonly ObjectReference[],
): Promise<(object: ObjectReference) => string | undefined> {
  const { models } = services.main.registry
  const byModel = new Map(
    [...Map.groupBy(objects, ({ type }) => type)].flatMap(([type, list]) => {
      const model = models.get(type)
      return model ? [[model, new Set(list.map(({ id }) => id))] as const] : []
    }),
  )
  const displays = await Promise.all(
    [services.branch, services.main].map((service) => visibleDisplays({ actor, service }, service.database, byModel)),
  )
  return ({ type, id }) => {
    const model = models.get(type)
    return model && displays.map((names) => names.get(model)?.get(id)).find((display) => display !== undefined)
  }
}

function sentenceOf(
  { reason, field, deletes = 0, messages }: BranchConflict,
  display: string,
  other = 'another object',
): string {
  const more = deletes === 1 ? ' and 1 object that needs it' : ` and ${deletes} objects that need it`
  switch (reason) {
    case 'changed':
      return `${display}: main and the branch have changed ${field} in different ways.`
    case 'deletedOnMain':
      return `${display}: deleted on main, changed in the branch.`
    case 'deletedInBranch':
      return `${display}: changed on main, deleted in the branch.${deletes > 0 ? ` Yours deletes it${more}.` : ''}`
    case 'missing':
      return `${display}: ${field} refers to an object that main has deleted.`
    case 'taken':
      return `${display}: on main, ${other} has this ${field} now. ${deletes > 0 ? `Yours deletes that object${more}` : 'Yours replaces it'}; main’s leaves yours out.`
    case 'circular':
      return `${display}: main and the branch have moved objects below each other.`
    case 'refused':
      return `${display} would not be valid: ${messages === undefined ? `values belong to ${other} now.` : textOf(messages)} Change it in the branch, or what is in its way on main; main’s leaves out what the branch changes in it.`
  }
}
