import type { Actor } from '../../identity/actor.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { T } from '../../read/query/alias.ts'
import { displayOf } from '../../read/query/display.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { empty, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
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

/** The conflicts of objects that the actor may view on main or in the branch, and the number of the others. */
export async function conflictAnswers(
  services: { readonly main: Service; readonly branch: Service },
  actor: Actor,
  conflicts: readonly BranchConflict[],
): Promise<{ readonly visible: readonly ConflictAnswer[]; readonly hidden: number }> {
  const names = new Map<string, string>()
  for (const [type, list] of Map.groupBy(conflicts, (conflict) => conflict.type)) {
    const ids = [...new Set(list.map(({ id }) => id))]
    const model = services.main.registry.model(type)
    for (const service of [services.main, services.branch]) {
      for (const [id, display] of await visibleNames(service, actor, model, ids)) names.set(`${type} ${id}`, display)
    }
  }
  const visible = conflicts.flatMap((conflict): readonly ConflictAnswer[] => {
    const display = names.get(`${conflict.type} ${conflict.id}`)
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

async function visibleNames(
  service: Service,
  actor: Actor,
  model: Model,
  ids: readonly number[],
): Promise<readonly (readonly [number, string])[]> {
  const permitted = permittedRowsOrNone(actor, 'view', model, service.settings)
  const rows = await service.database.query<{ id: number; display: string }>(sql`
    select t.id, ${displayOf(model, T)} as display from ${table(model)} t
    where t.id = any(${ids}::bigint[])${permitted === 'all' ? empty : sql` and ${permitted}`}`)
  return rows.map(({ id, display }) => [id, display])
}
