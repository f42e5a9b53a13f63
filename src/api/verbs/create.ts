import type { User } from '../../identity/actor.ts'
import { requireUser } from '../../identity/require-user.ts'
import { jsonList } from '../../read/serialise/json-list.ts'
import { type Projection, projectionOf } from '../../read/serialise/projection.ts'
import { readInOrder } from '../../read/serialise/read-objects.ts'
import type { ReadSource } from '../../read/serialise/read-source.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { writeAndRead } from '../../write/run.ts'
import { writeRequestOf } from '../../write/write-request.ts'
import type { ApiRequest } from '../api-request.ts'
import type { HttpResponse } from '../response.ts'
import { etagHeaders } from '../transport/etag.ts'
import { ignoredBy, selectionOfWrite, visibleTo } from './fields.ts'
import { readObject } from './read-object.ts'

/** POST to a collection: creates one object, or all objects of a list. */
export async function create(request: ApiRequest, model: Model): Promise<HttpResponse> {
  return await createFrom(request, model, await request.body.read(model))
}

/** As `create`, with a parsed body. `check` may still refuse the created objects. */
export async function createFrom(
  request: ApiRequest,
  model: Model,
  body: unknown,
  check: (context: WriteContext, ids: readonly number[]) => Promise<void> = async () => undefined,
): Promise<HttpResponse> {
  const actor: User = requireUser(request)
  const { service } = request
  const selection = { ...selectionOfWrite(request.search), ...visibleTo(request, model) }
  const projection = projectionOf(service, model, selection)
  const bulk = Array.isArray(body)
  // A missing body is an empty one, so the response names every required field.
  const bodies: readonly unknown[] = bulk ? body : [body === undefined ? {} : body]
  return await writeAndRead(service, writeRequestOf(request, actor), {
    work: async (context) => {
      const options = { bulk, ignores: ignoredBy(selection) }
      const ids = await createObjects(context, model, bodies, options)
      await check(context, ids)
      return ids
    },
    read: (source, ids) => (bulk ? listResponse : objectResponse)(source, request, projection, ids),
  })
}

async function listResponse(
  source: ReadSource,
  { base }: ApiRequest,
  projection: Projection,
  ids: readonly number[],
): Promise<HttpResponse> {
  const objects = await readInOrder(source, ids, projection, base)
  return { status: 201, body: jsonList(objects) }
}

async function objectResponse(
  source: ReadSource,
  { base }: ApiRequest,
  projection: Projection,
  [id = 0]: readonly number[],
): Promise<HttpResponse> {
  const object = await readObject(source, projection, { id, base })
  if (!object) throw new Error(`${projection.model.name} ${id} was created and is not there`)
  const headers: Record<string, string> = { ...etagHeaders(object.etag) }
  if (projection.names.includes('url')) headers.Location = `${base}/api/${projection.model.path}/${id}/`
  return { status: 201, body: object.json, headers }
}
