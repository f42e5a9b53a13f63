import type { ApiRequest } from '../../api/api-request.ts'
import { errorResponse } from '../../api/errors.ts'
import { ApiError, type Messages } from '../../base/errors.ts'
import type { Model } from '../../schema/registry.ts'
import { visibleObjects } from '../data/page-objects.ts'
import { sentenceOf } from '../frame/page-frame.ts'
import { translate } from '../texts/translate.ts'

/** Why nothing was written. */
export interface BulkRefusal {
  readonly status: number
  readonly sentences: readonly string[]
}

/** Maximum number of objects named in a refusal; for more it shows their number. */
const MOST_NAMED = 50

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

/** Why a write was refused, with the name of each refused object. Rethrows errors that are not refusals. */
export async function bulkRefusalOf(request: ApiRequest, model: Model, error: unknown): Promise<BulkRefusal> {
  if (error instanceof RefusedObjects) {
    return { status: 400, sentences: await sentencesByObject(request, model, error.messages) }
  }
  const response = error instanceof ApiError ? errorResponse(error) : undefined
  if (!(error instanceof ApiError) || !response || response.status >= 500) throw error
  return { status: response.status, sentences: [sentenceOf(error)] }
}

async function sentencesByObject(
  request: ApiRequest,
  model: Model,
  messages: ReadonlyMap<number, Messages>,
): Promise<readonly string[]> {
  const named = [...messages].slice(0, MOST_NAMED)
  const ids = named.map(([id]) => id)
  const objects = await visibleObjects(request, model, ids, ['id', 'display'])
  const more = messages.size - named.length
  return [
    ...named.map(([id, each]) => `${String(objects.get(id)?.display ?? id)}: ${textOf(each)}`),
    ...(more > 0
      ? [
          translate('{count} more object was refused.|{count} more objects were refused.', {
            count: more,
          }),
        ]
      : []),
  ]
}

/** Messages as one text, each with its field. */
function textOf(messages: Messages): string {
  if (typeof messages === 'string') return messages
  if (Array.isArray(messages)) return messages.map(textOf).join(' ')
  return Object.entries(messages)
    .map(([name, each]) => (name === '__all__' ? textOf(each) : `${name}: ${textOf(each)}`))
    .join(' ')
}
