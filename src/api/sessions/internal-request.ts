import type { ApiRequest } from '../api-request.ts'
import type { Method } from '../endpoint.ts'
import { bodyText, wholeResponse } from '../response.ts'
import type { Routes } from '../routes.ts'
import { parsedBody } from '../transport/body.ts'

/** A request that a page sends to the API. */
interface InternalRequest {
  readonly method: Method
  /** Below the base path. */
  readonly path: string
  readonly search?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The API's response; undefined without content. Throws ApiError. */
export type InternalApi = (request: ApiRequest, internal: InternalRequest) => Promise<unknown>

/**
 * The API for pages: the same endpoints, permissions, rules and audit log as over HTTP, on behalf of the page's user.
 */
export const internalApi =
  (routes: Pick<Routes, 'find'>): InternalApi =>
  async (request, { method, path, search = {}, body }) => {
    const route = routes.find(path)
    const operation = route?.endpoint.methods[method]
    if (!route || !operation) throw new Error(`There is no endpoint for ${method} ${path}`)
    const url = new URL(`${request.base}${path}?${new URLSearchParams(search)}`)
    const response = await operation.handle({
      ...request,
      method,
      url,
      search: url.searchParams,
      parameters: route.parameters,
      // Preconditions and media types apply only to the page's own request.
      headers: {},
      body: parsedBody(body),
    })
    return response.body === undefined ? undefined : JSON.parse(bodyText(await wholeResponse(response)))
  }
