import type { Actor } from '../../identity/actor.ts'
import type { Json } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { visibleDisplays } from '../../write/dry-run/affected-objects.ts'
import type { BranchConflict } from './branch-conflicts.ts'

/** A conflict as the reader may see it. */
export interface ConflictAnswer {
  readonly object_type: string
  readonly object_id: number
  readonly object_repr: string
  /** Null for the object as a whole, which one side has deleted. */
  readonly field: string | null
  readonly detail: string
  readonly base: Json
  readonly main: Json
  readonly branch: Json
}

/** The conflicts of objects that the actor may view on main or in the branch, and the number of all other conflicts. */
export async function conflictAnswers(
  services: { readonly main: Service; readonly branch: Service },
  actor: Actor,
  conflicts: readonly BranchConflict[],
): Promise<{ readonly visible: readonly ConflictAnswer[]; readonly hidden: number }> {
  const { models } = services.main.registry
  const objects = new Map(
    [...Map.groupBy(conflicts, ({ type }) => type)].flatMap(([type, list]) => {
      const model = models.get(type)
      return model ? [[model, new Set(list.map(({ id }) => id))] as const] : []
    }),
  )
  const displays = await Promise.all(
    [services.branch, services.main].map((service) => visibleDisplays({ actor, service }, service.database, objects)),
  )
  const displayOf = ({ type, id }: BranchConflict): string | undefined => {
    const model = models.get(type)
    return model && displays.map((each) => each.get(model)?.get(id)).find((display) => display !== undefined)
  }
  const visible = conflicts.flatMap((conflict): readonly ConflictAnswer[] => {
    const display = displayOf(conflict)
    if (display === undefined) return []
    const { type, id, field = null, base = null, main = null, branch = null } = conflict
    return [
      {
        object_type: type,
        object_id: id,
        object_repr: display,
        field,
        detail: sentenceOf(conflict, display),
        base,
        main,
        branch,
      },
    ]
  })
  return { visible, hidden: conflicts.length - visible.length }
}

function sentenceOf({ field, deletedIn }: BranchConflict, display: string): string {
  if (field !== undefined) return `${display}: main and the branch have changed ${field} in different ways.`
  return deletedIn === 'main'
    ? `${display}: deleted on main, changed in the branch.`
    : `${display}: changed on main, deleted in the branch.`
}
