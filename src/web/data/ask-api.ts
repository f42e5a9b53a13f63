import type { ApiRequest } from '../../api/api-request.ts'
import type { Method } from '../../api/endpoint.ts'
import { bodyText, type WholeResponse, wholeResponse } from '../../api/response.ts'
import type { Routes } from '../../api/routes.ts'
import { ApiError } from '../../base/errors.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { asking, sending } from './inner-request.ts'

/** Endpoints of the API, by path. */
export type ApiRoutes = Pick<Routes, 'find'>

interface Asked {
  /** Below /api/, with a slash at the end. */
  readonly path: string
  readonly query?: URLSearchParams
  readonly method?: Extract<Method, 'GET' | 'POST' | 'PUT' | 'DELETE'>
  readonly body?: unknown
}

/**
 * The response of the API's own endpoint to the sender of the request, whose permissions it checks. Throws as that
 * endpoint does.
 */
export async function askApi(
  routes: ApiRoutes,
  request: ApiRequest,
  { path, query = new URLSearchParams(), method = 'GET', body }: Asked,
): Promise<WholeResponse> {
  const route = routes.find(`/api/${path}`)
  const operation = route?.endpoint.methods[method]
  if (!route || !operation) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
  const inner = method === 'GET' ? asking(request, query) : sending(request, method, body)
  const headers = { ...inner.headers, accept: 'application/json' }
  const response = await operation.handle({ ...inner, headers, search: query, parameters: route.parameters })
  return await wholeResponse(response)
}

/** The JSON of a response. */
export const jsonOf = (response: WholeResponse): Json => JSON.parse(bodyText(response)) as Json // produced by this process

/** The API's message of a refusal in a response, such as `{"error": …}`. */
export function refusalIn(response: WholeResponse): string | undefined {
  if (response.status < 400) return undefined
  const document = jsonOf(response)
  const texts = isJsonObject(document) ? Object.values(document) : []
  return texts.map(String).join(' ')
}
