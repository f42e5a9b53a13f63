import { invalid, listErrors, type Messages, notFound } from '../base/errors.ts'
import { requirePermission } from '../identity/permitted-rows.ts'
import type { Model } from '../schema/registry.ts'
import { lockTargets, requireAccess } from './access.ts'
import { requestDefaults, type WriteContext } from './context.ts'
import { type Draft, errorMessagesOf } from './draft.ts'
import { parseBody } from './parse/body.ts'
import { requireEach, type UpdateTarget } from './parse/bulk.ts'
import { withTypeNames } from './parse/type-ids.ts'
import type { StoredRow } from './rows.ts'
import { takeLock } from './save/locks.ts'
import { saveObjects } from './save/save-objects.ts'
import { demandMessages } from './validate/demanded-messages.ts'
import { judgeSaved } from './validate/refusing-rules.ts'
import { validate } from './validate/validate.ts'

export interface UpdateOptions {
  /** PATCH; otherwise every required field must be present. */
  readonly partial: boolean
  /** The request contains a list: ids that do not exist are ignored. Otherwise they are `notFound`. */
  readonly bulk: boolean
  /** Ids of a list that name no object, or name one twice, are refused. */
  readonly refusesUnknown?: boolean | undefined
  readonly ignores?: ((name: string) => boolean) | undefined
  /** Called for each object while it is locked; throws to refuse (If-Match). */
  readonly precondition?: ((stored: StoredRow) => void) | undefined
  /** Receives the errors by id if the write is refused; the write then throws the returned error. */
  readonly refusal?: ((messages: ReadonlyMap<number, Messages>) => Error) | undefined
}

/**
 * Changes objects, all or none. Returns the ids of the existing objects, in the model's own order. Throws ApiError; for
 * a bulk request, only with the errors of the first refused object.
 */
export async function updateObjects(
  context: WriteContext,
  form: Model,
  targets: readonly UpdateTarget[],
  { partial, bulk, refusesUnknown, ignores, precondition, refusal }: UpdateOptions,
): Promise<number[]> {
  const { service, actor } = context
  const model = service.registry.model(form.name)
  requirePermission(actor, 'change', model, service.settings)
  takeLock(context, model)
  const typed = await withTypeNames(
    context,
    model,
    targets.map(({ body }) => body),
  )
  const bodies = new Map(targets.map(({ id }, index) => [id, typed[index]]))
  const rows = await lockTargets(context, 'change', model, [...bodies.keys()])
  if (!bulk && rows.length === 0) throw notFound(labelOf(model))
  if (refusesUnknown) requireEach(targets, rows)
  const ids = rows.map(({ id }) => id)
  context.journal.noteNamed(model, ids)
  if (precondition) for (const row of rows) precondition(row)
  const drafts = rows.map((previous) =>
    parseBody(service.registry, model, {
      body: bodies.get(previous.id),
      form,
      mode: partial ? 'change' : 'replace',
      previous,
      ignores,
      defaults: requestDefaults(context),
    }),
  )
  demandMessages(context, model, drafts)
  const requireSound = (): void => {
    const messages = errorsById(drafts)
    const [first] = messages.values()
    if (!first) return
    const entries = [...messages].map(([id, errors]) => ({ id, errors }))
    throw refusal?.(messages) ?? invalid(first, bulk ? listErrors('updated', targets.length, entries) : undefined)
  }
  await validate(context, drafts)
  requireSound()
  await saveObjects(context, model, drafts, { on: 'update' })
  await judgeSaved(context, model, drafts)
  requireSound()
  await requireAccess(context, 'change', model, ids)
  return ids
}

const errorsById = (drafts: readonly Draft[]): ReadonlyMap<number, Messages> =>
  new Map(
    drafts.flatMap((draft) => {
      const messages = errorMessagesOf(draft)
      return messages ? [[draft.next.id, messages] as const] : []
    }),
  )

const labelOf = ({ definition }: Model): string => definition.labels[0]
