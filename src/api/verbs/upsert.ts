import { invalid, type Messages } from '../../base/errors.ts'
import { requireUser } from '../../identity/require-user.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { jsonList } from '../../read/serialise/json-list.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { readInOrder } from '../../read/serialise/read-objects.ts'
import type { Model } from '../../schema/registry.ts'
import { writeAndRead } from '../../write/run.ts'
import { matchFields } from '../../write/upsert/match.ts'
import { upsertObjects } from '../../write/upsert/upsert-objects.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { ignoredBy, selectionOfWrite, visibleTo } from './fields.ts'
import { updateMany } from './update.ts'

/** PUT to a collection: replaces the objects of a list, or creates and changes those of `?match=`. */
export const replaceOrUpsert = (request: ApiRequest, model: Model): Promise<HttpResponse> => {
  const match = lastValue(request.search, 'match')
  return match === undefined ? updateMany(request, model) : upsert(request, model, match)
}

/**
 * Creates or changes one object, or all objects of a list, found by the fields of `match`. The response has an outcome and the object for each
 * of them.
 */
async function upsert(request: ApiRequest, model: Model, text: string): Promise<HttpResponse> {
  const actor = requireUser(request)
  const { service, base } = request
  const match = matchFields(model, text)
  const body = await request.body.read(model)
  const bulk = Array.isArray(body)
  const bodies: readonly unknown[] = bulk ? body : [body ?? {}]
  const selection = { ...selectionOfWrite(request.search), ...visibleTo(request, model) }
  const projection = projectionOf(service, model, selection)
  const refusal = (messages: readonly (Messages | undefined)[]) =>
    invalid(bulk ? messages.map((message) => message ?? {}) : (messages[0] ?? {}))
  return await writeAndRead(service, writeRequestOf(request, actor), {
    work: (context) => upsertObjects(context, model, bodies, { match, ignores: ignoredBy(selection), refusal }),
    read: async (source, upserted) => {
      const ids = upserted.map(({ id }) => id)
      const objects = await readInOrder(source, ids, projection, base)
      const outcomes = objects.map((object, index) =>
        Buffer.concat([Buffer.from(`{"outcome":"${upserted[index]?.outcome}","object":`), object, Buffer.from('}')]),
      )
      const [only] = outcomes
      return { status: 200, body: bulk || !only ? jsonList(outcomes) : only }
    },
  })
}
