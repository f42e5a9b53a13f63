import type { Actor } from '../../identity/actor.ts'
import { grantedRows } from '../../identity/permitted-rows.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { dataOf, NO_PARTS, type VisibleParts } from '../stream/change-row.ts'
import { visibleParts } from '../stream/visible-parts.ts'
import type { RecordedChange } from './recorded-change.ts'

/**
 * Predicate over the change record `t`: the records that the actor's permissions on change records select. Whether the
 * actor may see the object is decided by `visiblePartsOf`. Throws `unauthenticated` and `forbidden`.
 */
export function permittedChanges({ registry, settings }: Service, actor: Actor): Sql {
  const granted = grantedRows(actor, 'view', registry.model(SYSTEM.objectChange), settings)
  return granted === 'all' ? sql`true` : granted
}

/** The parts of each record that the actor may see, by the id of the record. */
export async function visiblePartsOf(
  service: Service,
  actor: Actor,
  changes: readonly RecordedChange[],
): Promise<(change: RecordedChange) => VisibleParts> {
  const parts = await visibleParts(
    service,
    actor,
    changes.map((change) => ({ ...change, position: change.id })),
  )
  return ({ id }) => parts.get(id) ?? NO_PARTS
}

/** Whether the parts include all data of the record. */
export const isWhollyVisible = (
  { before, after }: Pick<RecordedChange, 'before' | 'after'>,
  parts: VisibleParts,
): boolean => (dataOf(before) === undefined || parts.before) && (dataOf(after) === undefined || parts.after)
