import { jsonList } from '../output/json-list.ts'
import { readObjects } from '../output/read-objects.ts'
import { shapeOf } from '../output/shape.ts'
import type { Model } from '../schema/registry.ts'
import { bulkUpdateTargets } from '../write/bulk.ts'
import { writeAndRead } from '../write/run.ts'
import { updateObjects } from '../write/update.ts'
import { type Answer, ok } from './answer.ts'
import { type ApiRequest, requireUser } from './api-request.ts'
import { preconditionOf } from './etag.ts'
import { ignoredBy, selectionOfWrite } from './fields.ts'
import { noSuchObject, objectId } from './object-id.ts'
import { readObject } from './read-object.ts'

/** PUT and PATCH of one object. */
export async function update(request: ApiRequest, model: Model): Promise<Answer> {
  const actor = requireUser(request)
  const { service, base } = request
  const id = objectId(request, model)
  const body = (await request.body.read(model)) ?? {}
  const selection = selectionOfWrite(request.search)
  const shape = shapeOf(service, model, selection)
  return await writeAndRead(
    service,
    { actor, requestId: request.id },
    (context) =>
      updateObjects(context, model, [{ id, body }], {
        partial: request.method === 'PATCH',
        bulk: false,
        ignores: ignoredBy(selection),
        precondition: preconditionOf(model, request.headers['if-match']),
      }),
    async (queryable) => {
      const found = await readObject(service, queryable, shape, { id, base })
      if (!found) throw noSuchObject(model)
      return ok(found.json, found.etag === undefined ? {} : { ETag: found.etag })
    },
  )
}

/** PUT and PATCH of a list of objects, all or none. Ids that do not exist are passed over. */
export async function updateMany(request: ApiRequest, model: Model): Promise<Answer> {
  const actor = requireUser(request)
  const { service, base } = request
  const targets = bulkUpdateTargets(await request.body.read(model))
  const selection = selectionOfWrite(request.search)
  const shape = shapeOf(service, model, selection)
  return await writeAndRead(
    service,
    { actor, requestId: request.id },
    (context) =>
      updateObjects(context, model, targets, {
        partial: request.method === 'PATCH',
        bulk: true,
        ignores: ignoredBy(selection),
        precondition: preconditionOf(model, request.headers['if-match']),
      }),
    async (queryable, ids) => {
      const shown = await readObjects(service, queryable, ids, shape, base)
      return ok(jsonList(ids.flatMap((id) => shown.get(id)?.json ?? [])))
    },
  )
}
