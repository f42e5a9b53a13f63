import { restrict } from '../auth/restrict.ts'
import { shapeOf } from '../output/shape.ts'
import type { Model } from '../schema/registry.ts'
import { type Answer, ok } from './answer.ts'
import type { ApiRequest } from './api-request.ts'
import { isKnown } from './etag.ts'
import { selectionOf } from './fields.ts'
import { noSuchObject, objectId } from './object-id.ts'
import { readObject } from './read-object.ts'

/** GET of one object. */
export async function detail(request: ApiRequest, model: Model): Promise<Answer> {
  const { service, actor, search, base } = request
  const scope = restrict(actor, 'view', model, service.settings)
  const id = objectId(request, model)
  const shape = shapeOf(service, model, selectionOf(search))
  const found = await readObject(service, service.database, shape, { id, scope, base })
  if (!found) throw noSuchObject(model)
  const { etag } = found
  const headers: Answer['headers'] = etag === undefined ? {} : { ETag: etag }
  if (isKnown(etag, request.headers['if-none-match'])) return { status: 304, headers }
  return ok(await found.text(), headers)
}
