import type { ApiRequest } from '../../api/api-request.ts'
import { parsedBody } from '../../api/transport/body.ts'
import { checkBulk } from '../../api/transport/limits.ts'
import { PLAIN_FORM } from '../../read/serialise/plan.ts'

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
