import type { ApiRequest } from '../api-request.ts'
import type { Method } from '../endpoint.ts'
import { bodyText, wholeResponse } from '../response.ts'
import type { Routes } from '../routes.ts'

/** A request of a page to the API that it stands on. */
export interface InternalRequest {
  readonly method: Method
  /** Below the base path. */
  readonly path: string
  readonly search?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What the API answers; undefined where that is no content. Throws ApiError. */
export type InternalApi = (request: ApiRequest, own: InternalRequest) => Promise<unknown>

/**
 * The API as pages use it: the same endpoints, permissions, rules and audit as over HTTP, on behalf of
 * whoever asks for the page.
 */
export const internalApi =
  (routes: Pick<Routes, 'find'>): InternalApi =>
  async (request, { method, path, search = {}, body }) => {
    const route = routes.find(path)
    const handle = route?.endpoint.methods[method]
    if (!route || !handle) throw new Error(`Nothing answers ${method} at ${path}`)
    const url = new URL(`${request.base}${path}?${new URLSearchParams(search)}`)
    const answer = await handle({
      ...request,
      method,
      url,
      search: url.searchParams,
      parameters: route.parameters,
      // Preconditions and media types are those of the page's own request.
      headers: {},
      body: { read: async () => body, form: async () => undefined },
    })
    return answer.body === undefined ? undefined : JSON.parse(bodyText(await wholeResponse(answer)))
  }
