import { type ApiError, invalid, invalidList, type Messages } from '../base/errors.ts'
import { requirePermission } from '../identity/permitted-rows.ts'
import type { Model } from '../schema/registry.ts'
import { requireAccess } from './access.ts'
import { requestDefaults, type WriteContext } from './context.ts'
import { type Draft, errorMessagesOf } from './draft.ts'
import { parseBody } from './parse/body.ts'
import { withTypeNames } from './parse/type-ids.ts'
import { takeLock } from './save/locks.ts'
import { saveObjects } from './save/save-objects.ts'
import { demandMessages } from './validate/demanded-messages.ts'
import { judgeSaved } from './validate/refusing-rules.ts'
import { validate } from './validate/validate.ts'

interface CreateOptions {
  /** The request contains a list: errors are a list in the same order. Otherwise there is one body. */
  readonly bulk: boolean
  /** Fields that the request excludes from bodies (`fields`, `omit`). */
  readonly ignores?: ((name: string) => boolean) | undefined
  /**
   * Receives the errors of all bodies, in their order, if the write is refused; the write then throws the returned
   * error.
   */
  readonly refusal?: ((messages: readonly (Messages | undefined)[]) => Error) | undefined
  /** Ids that the objects get, in the order of the bodies: `reserveIds` returned them. */
  readonly ids?: readonly number[] | undefined
}

/** Creates objects, all or none. Returns the ids in the order of the bodies. Throws ApiError. */
export async function createObjects(
  context: WriteContext,
  form: Model,
  bodies: readonly unknown[],
  { bulk, ignores, refusal, ids: reserved }: CreateOptions,
): Promise<number[]> {
  const model = context.service.registry.model(form.name)
  requirePermission(context.actor, 'add', model, context.service.settings)
  takeLock(context, model)
  const typed = await withTypeNames(context, model, bodies)
  const drafts = typed.map((body) =>
    parseBody(context.service.registry, model, {
      body,
      form,
      mode: 'create',
      defaults: requestDefaults(context),
      previous: undefined,
      ignores,
    }),
  )
  drafts.forEach(({ next }, index) => {
    next.id = reserved?.[index] ?? 0
  })
  demandMessages(context, model, drafts)
  const requireSound = (): void => {
    if (drafts.every(({ errors }) => errors.size === 0)) return
    throw refusal?.(drafts.map(errorMessagesOf)) ?? refusalOf(model, drafts, bulk)
  }
  await validate(context, drafts)
  requireSound()
  await saveObjects(context, model, drafts, { on: 'create' })
  await judgeSaved(context, model, drafts)
  requireSound()
  const ids = drafts.map(({ next }) => next.id)
  await requireAccess(context, 'add', model, ids)
  return ids
}

function refusalOf(model: Model, drafts: readonly Draft[], bulk: boolean): ApiError {
  const messages = drafts.map(errorMessagesOf)
  const first = messages.find((errors) => errors !== undefined) ?? {}
  if (!bulk) return invalid(first)
  return invalidList('created', messages, model.definition.firstErrorOnly ? first : undefined)
}
