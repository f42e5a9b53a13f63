import { notFound } from '../../errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import type { Model } from '../../schema/registry.ts'
import { lockTargets } from '../access.ts'
import type { WriteContext } from '../context.ts'
import { noteNamed } from '../record/events.ts'
import type { StoredRow } from '../rows.ts'
import { takeLock } from '../save/locks.ts'
import { demandDeletionMessages } from '../validate/demanded-messages.ts'
import { deleteCascade } from './cascade.ts'

/** An object to delete, with the message for its change record. */
export interface DeleteTarget {
  readonly id: number
  readonly message?: string | undefined
}

export interface DeleteOptions {
  /** The request contains a list: ids that do not exist are ignored. Otherwise they are `notFound`. */
  readonly bulk: boolean
  /** Called for each object under its lock; throws to refuse (If-Match). */
  readonly precondition?: ((stored: StoredRow) => void) | undefined
}

/** Deletes objects and their dependents, all or none. Throws `inUse` for protected objects. */
export async function deleteObjects(
  context: WriteContext,
  model: Model,
  targets: readonly DeleteTarget[],
  { bulk, precondition }: DeleteOptions,
): Promise<void> {
  const { service, actor } = context
  requirePermission(actor, 'delete', model, service.settings)
  takeLock(context, model)
  const messages = new Map(targets.map(({ id, message = '' }) => [id, message]))
  demandDeletionMessages(context, model, messages.values())
  const stored = await lockTargets(context, 'delete', model, [...messages.keys()])
  if (!bulk && stored.length === 0) throw notFound(model.definition.labels[0])
  if (stored.length === 0) return
  const ids = stored.map(({ id }) => id)
  noteNamed(context, model, ids)
  if (precondition) for (const row of stored) precondition(row)
  await deleteCascade(context, model, ids, messages)
}
