import { permittedRows } from '../../identity/permitted-rows.ts'
import { type Projection, projectionOf } from '../../read/serialise/projection.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import type { Model } from '../../schema/registry.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, okResponse } from '../response.ts'
import { etagHeaders, isKnown } from '../transport/etag.ts'
import { selectionOf, visibleTo } from './fields.ts'
import { noSuchObject, objectId } from './object-id.ts'
import { readEtag, readObject } from './read-object.ts'

/** GET of one object. `chosen`: the projection, if the query does not select it. */
export async function detail(request: ApiRequest, model: Model, chosen?: Projection): Promise<HttpResponse> {
  const { service, actor, search, base } = request
  const permitted = permittedRows(actor, 'view', model, service.settings)
  const id = objectId(request, model)
  const projection =
    chosen ??
    projectionOf(service, model, {
      ...selectionOf(search),
      ...visibleTo(request, model),
      form: request.form,
    })
  const ifNoneMatch = request.headers['if-none-match']
  if (permitted !== 'all' || ifNoneMatch !== undefined) {
    const version = await readEtag(service, projection, { id, permitted, base })
    if (!version) throw noSuchObject(model)
    const { etag } = version
    if (isKnown(etag, ifNoneMatch)) return { status: 304, headers: etagHeaders(etag) }
  }
  const object = await readObject(committedData(service), projection, { id, base })
  if (!object) throw noSuchObject(model)
  return okResponse(object.json, etagHeaders(object.etag))
}
