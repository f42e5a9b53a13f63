import { ApiError, listErrors, notFound } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import type { Model } from '../../schema/registry.ts'
import { lockTargets } from '../access.ts'
import type { WriteContext } from '../context.ts'
import { type DeleteTarget, requireEach } from '../parse/bulk.ts'
import type { StoredRow } from '../rows.ts'
import { takeLock } from '../save/locks.ts'
import { demandDeletionMessages } from '../validate/demanded-messages.ts'
import { deleteCascade } from './cascade.ts'

interface DeleteOptions {
  /** The request contains a list: ids that do not exist are ignored. Otherwise they are `notFound`. */
  readonly bulk: boolean
  /** Ids of a list that name no object, or name one twice, are refused. */
  readonly refusesUnknown?: boolean | undefined
  /** Called for each object while it is locked; throws to refuse (If-Match). */
  readonly precondition?: ((stored: StoredRow) => void) | undefined
}

/** Deletes objects and their dependents, all or none. Throws `inUse` for protected objects. */
export async function deleteObjects(
  context: WriteContext,
  { name }: Pick<Model, 'name'>,
  targets: readonly DeleteTarget[],
  { bulk, refusesUnknown, precondition }: DeleteOptions,
): Promise<void> {
  const { service, actor } = context
  const model = service.registry.model(name)
  requirePermission(actor, 'delete', model, service.settings)
  takeLock(context, model)
  const messages = new Map(targets.map(({ id, message = '' }) => [id, message]))
  demandDeletionMessages(context, model, messages.values())
  const stored = await lockTargets(context, 'delete', model, [...messages.keys()])
  if (!bulk && stored.length === 0) throw notFound(model.definition.labels[0])
  if (refusesUnknown) requireEach(targets, stored)
  if (stored.length === 0) return
  const ids = stored.map(({ id }) => id)
  context.journal.noteNamed(model, ids)
  if (precondition) for (const row of stored) precondition(row)
  try {
    await deleteCascade(context, model, ids, messages)
  } catch (error) {
    throw bulk ? inUseOf(model, ids, error) : error
  }
}

/** The error for a list, with its entries that are in use. */
function inUseOf({ name }: Model, ids: readonly number[], error: unknown): unknown {
  if (!(error instanceof ApiError && error.reason.kind === 'inUse')) return error
  const { reason } = error
  const blocked = new Set(reason.objects?.flatMap(({ model, id }) => (model === name && ids.includes(id) ? [id] : [])))
  // A dependent of one of the objects is in use; it is unknown which object that is.
  const entries = blocked.size > 0 ? [...blocked] : ids.slice(0, 1)
  const errors = entries.map((id) => ({ id, errors: { __all__: [reason.detail] } }))
  return new ApiError({ ...reason, list: listErrors('deleted', ids.length, errors) })
}
