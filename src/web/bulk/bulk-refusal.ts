import type { ApiRequest } from '../../api/api-request.ts'
import { errorResponse } from '../../api/errors.ts'
import { ApiError, type Messages } from '../../base/errors.ts'
import type { Model } from '../../schema/registry.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { errorsByName, type FormMessages } from '../forms/edit-form.ts'
import { pageMessages } from '../forms/page-messages.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { translate } from '../texts/translate.ts'

/** Why nothing was written: messages by field, each with the names of the objects if it does not concern all. */
export interface BulkRefusal {
  readonly status: number
  readonly messages: FormMessages
}

/** Maximum number of refused objects whose names are read, and of names before one message. */
const MOST_NAMED = 50
const MOST_IN_SENTENCE = 5

/** Several objects cannot be changed in the way that the form requests. */
export class RefusedObjects extends Error {
  override readonly name = 'RefusedObjects'
  readonly messages: ReadonlyMap<number, Messages>

  /** `messages`: by the id of the object. */
  constructor(messages: ReadonlyMap<number, Messages>) {
    super(`${messages.size} objects are refused`)
    this.messages = messages
  }
}

/**
 * Why a write was refused, by field, with the names of the refused objects unless all `selected` ones are. Rethrows
 * errors that are not refusals.
 */
export async function bulkRefusalOf(
  request: ApiRequest,
  model: Model,
  error: unknown,
  selected = Number.POSITIVE_INFINITY,
): Promise<BulkRefusal> {
  if (error instanceof RefusedObjects) {
    return { status: 400, messages: await messagesByField(request, model, error.messages, selected) }
  }
  const response = error instanceof ApiError ? errorResponse(error) : undefined
  if (!(error instanceof ApiError) || !response || response.status >= 500) throw error
  const { reason } = error
  const messages =
    reason.kind === 'invalid' ? await pageMessages(request, model, reason.messages as FormMessages) : sentenceOf(error)
  return { status: response.status, messages }
}

async function messagesByField(
  request: ApiRequest,
  model: Model,
  refused: ReadonlyMap<number, Messages>,
  selected: number,
): Promise<FormMessages> {
  const objects = await visibleObjects(request, model, [...refused.keys()].slice(0, MOST_NAMED), ['id', 'display'])
  const idsByText = new Map<string, Map<string, number[]>>()
  for (const [id, messages] of refused) {
    for (const [path, texts] of errorsByName(await pageMessages(request, model, messages as FormMessages))) {
      const ids = idsByText.get(path) ?? new Map<string, number[]>()
      idsByText.set(path, ids)
      for (const text of texts) ids.set(String(text), [...(ids.get(String(text)) ?? []), id])
    }
  }
  const sentence = (text: string, ids: readonly number[]): string => {
    if (ids.length === selected) return text
    const names = ids.slice(0, MOST_IN_SENTENCE).map((id) => String(objects.get(id)?.display ?? id))
    const more = ids.length - names.length
    const all = more > 0 ? [...names, translate('and {count} more', { count: more })] : names
    return `${all.join(', ')}: ${text}`
  }
  return Object.fromEntries(
    [...idsByText].map(([path, texts]) => [path, [...texts].map(([text, ids]) => sentence(text, ids))]),
  )
}
