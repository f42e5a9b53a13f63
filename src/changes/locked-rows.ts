import { forbidden } from '../errors.ts'
import type { PermissionAction } from '../identity/actor.ts'
import { requirePermission } from '../identity/permitted-rows.ts'
import { selectTargets } from '../write/access.ts'
import { loadRows, type StoredRow } from '../write/rows.ts'
import { takeLock } from '../write/save/locks.ts'
import type { Undo, UndoStep } from './undo-plan.ts'

/**
 * The existing rows of the changed objects, locked. Throws `forbidden` if the user may not perform the action on all of
 * them.
 */
export async function lockedRows(
  { context }: Undo,
  action: PermissionAction,
  { model, changes }: UndoStep,
): Promise<readonly StoredRow[]> {
  const { service, transaction, actor } = context
  requirePermission(actor, action, model, service.settings)
  takeLock(context, model)
  const changed = changes.map(({ object_id }) => object_id)
  const rows = await loadRows(service, transaction, model, changed, { lock: true })
  const ids = rows.map(({ id }) => id)
  if ((await selectTargets(context, action, model, ids)).length < ids.length) throw forbidden()
  return rows
}
