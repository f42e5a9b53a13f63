import { requireUser } from '../../identity/require-user.ts'
import { jsonList } from '../../read/serialise/json-list.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { readInOrder } from '../../read/serialise/read-objects.ts'
import type { Model } from '../../schema/registry.ts'
import { bulkUpdateTargets, REFUSES_UNKNOWN } from '../../write/parse/bulk.ts'
import { writeAndRead } from '../../write/run.ts'
import { type UpdateOptions, updateObjects } from '../../write/update-objects.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, okResponse } from '../response.ts'
import { etagHeaders, preconditionOf } from '../transport/etag.ts'
import { ignoredBy, selectionOfWrite, visibleTo } from './fields.ts'
import { noSuchObject, objectId } from './object-id.ts'
import { readObject } from './read-object.ts'

/** PUT and PATCH of one object. */
export async function update(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const actor = requireUser(request)
  const { service, base } = request
  const id = objectId(request, model)
  const body = (await request.body.read(model)) ?? {}
  const projection = projectionOf(service, model, { ...selectionOfWrite(request.search), ...visibleTo(request, model) })
  return await writeAndRead(service, writeRequestOf(request, actor), {
    work: (context) => updateObjects(context, model, [{ id, body }], optionsOf(request, model, { bulk: false })),
    read: async (source) => {
      const object = await readObject(source, projection, { id, base })
      if (!object) throw noSuchObject(model)
      return okResponse(object.json, etagHeaders(object.etag))
    },
  })
}

/** PUT and PATCH of a list of objects, all or none. Ids that do not exist are ignored. */
export async function updateMany(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const actor = requireUser(request)
  const { service, base } = request
  const targets = bulkUpdateTargets(await request.body.read(model))
  const projection = projectionOf(service, model, { ...selectionOfWrite(request.search), ...visibleTo(request, model) })
  return await writeAndRead(service, writeRequestOf(request, actor), {
    work: (context) =>
      updateObjects(context, model, targets, {
        ...optionsOf(request, model, { bulk: true }),
        refusesUnknown: REFUSES_UNKNOWN[service.registry.version],
      }),
    read: async (source, ids) => okResponse(jsonList(await readInOrder(source, ids, projection, base))),
  })
}

/** Options of the write that the request specifies. */
const optionsOf = (request: ApiRequest, model: Model, { bulk }: Pick<UpdateOptions, 'bulk'>): UpdateOptions => ({
  partial: request.method === 'PATCH',
  bulk,
  ignores: ignoredBy(selectionOfWrite(request.search)),
  precondition: preconditionOf(model, request),
})
