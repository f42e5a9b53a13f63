import type { Actor } from '../../identity/actor.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { ALL_PARTS, NO_PARTS, type RecordedVersions, type VisibleParts } from './change-row.ts'
import { partsByData } from './parts-by-data.ts'

/**
 * The parts of each record that the actor may see, by position. A record of an object that the actor may view now is
 * visible as a whole, as in the list of change records. For other objects, which have been deleted or moved out of the
 * actor's reach, those parts are visible in which the object's data satisfied the actor's permissions. Records without
 * visible parts are left out.
 */
export async function visibleParts(
  service: Service,
  actor: Actor,
  rows: readonly RecordedVersions[],
): Promise<ReadonlyMap<number, VisibleParts>> {
  if (actor.kind === 'user' && actor.isSuperuser) {
    return new Map(rows.map(({ position }) => [position, ALL_PARTS]))
  }
  const parts = await Promise.all(
    [...Map.groupBy(rows, ({ type }) => type)].map(([type, list]) =>
      partsOfModel(service, actor, service.registry.models.get(type), list),
    ),
  )
  return new Map(parts.flatMap((map) => [...map]).filter(([, { before, after }]) => before || after))
}

async function partsOfModel(
  service: Service,
  actor: Actor,
  model: Model | undefined,
  rows: readonly RecordedVersions[],
): Promise<ReadonlyMap<number, VisibleParts>> {
  const permitted = model && permittedRowsOrNone(actor, 'view', model, service.settings)
  if (!model || permitted === undefined || permitted === NO_ROWS) return new Map()
  if (permitted === 'all') return new Map(rows.map(({ position }) => [position, ALL_PARTS]))
  const ids = [...new Set(rows.map(({ object_id }) => object_id))]
  const visible = await service.database.query<{ id: number }>(
    sql`select t.id from ${table(model)} t where t.id = any(${ids}::bigint[]) and ${permitted}`,
  )
  const now = new Set(visible.map(({ id }) => id))
  const [shown, others] = [
    rows.filter(({ object_id }) => now.has(object_id)),
    rows.filter(({ object_id }) => !now.has(object_id)),
  ]
  const byData = await partsByData(service, actor, model, others)
  return new Map([
    ...shown.map(({ position }) => [position, ALL_PARTS] as const),
    ...others.map(({ position }) => [position, byData.get(position) ?? NO_PARTS] as const),
  ])
}
