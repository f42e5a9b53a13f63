import type { ApiRequest } from '../../api/api-request.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import { parsedBody } from '../../api/transport/body.ts'
import { checkBulk } from '../../api/transport/limits.ts'
import { detail } from '../../api/verbs/detail.ts'
import { listObjects } from '../../api/verbs/list.ts'
import { PLAIN_FORM } from '../../read/serialise/plan.ts'
import { parseAnswered } from '../../schema/answered-object.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'

/** The request with another query: pages use the API's handlers, so that the same rules and permissions apply. */
export const asking = (request: ApiRequest, query: URLSearchParams): ApiRequest => {
  const url = new URL(request.url)
  url.search = query.toString()
  return { ...request, method: 'GET', form: PLAIN_FORM, headers: withoutConditions(request), url, search: query }
}

/**
 * The request with a JSON body, for a writing handler. `etag`: the version that the writer has seen. Throws `malformed` for a list of more
 * objects than one request may write.
 */
export function sending(
  request: ApiRequest,
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  body: unknown,
  etag?: string,
): ApiRequest {
  checkBulk(body, request.service.settings.maxBulkObjects)
  return {
    ...request,
    method,
    search: new URLSearchParams(),
    headers: { ...withoutConditions(request), ...(etag && { 'if-match': etag }) },
    body: parsedBody(body),
  }
}

/** Headers that make a response depend on what the client already has. */
const withoutConditions = ({ headers }: ApiRequest): ApiRequest['headers'] => ({
  ...headers,
  'if-none-match': undefined,
  'if-match': undefined,
})

/** Objects of a list with their number. */
export interface ObjectList {
  readonly count: number
  readonly objects: readonly JsonObject[]
}

/** A page of the model's collection, in the form of the API; `known` and errors as for `listObjects`. */
export async function readList(
  request: ApiRequest,
  model: Model,
  query: URLSearchParams,
  known?: number | null,
): Promise<ObjectList> {
  const response = await wholeResponse(await listObjects(asking(request, query), model, known))
  const document = parseAnswered(model, bodyText(response))
  if (!isJsonObject(document) || !Array.isArray(document.results)) throw new Error('No list')
  return {
    count: Number(document.count ?? 0),
    objects: document.results.filter((each) => isJsonObject(each)),
  }
}

/** One object with its version, and with the fields that the API shows only by name. Throws `notFound`. */
export async function readOne(
  request: ApiRequest,
  model: Model,
): Promise<{ readonly object: JsonObject; readonly etag: string | undefined }> {
  const search = new URLSearchParams(model.definition.namedOnly && { fields: model.answer.join() })
  const response = await wholeResponse(await detail(asking(request, search), model))
  const object = parseAnswered(model, bodyText(response))
  if (!isJsonObject(object)) throw new Error('No object')
  return { object, etag: response.headers?.ETag }
}
