import { errorResponse } from '../../api/errors.ts'
import { bodyText, wholeResponse } from '../../api/response.ts'
import type { Routes } from '../../api/routes.ts'
import { parsedBody } from '../../api/transport/body.ts'
import { checkBulk } from '../../api/transport/limits.ts'
import type { InProcessRequest, InProcessResponse } from '../../automation/jobs/in-process-request.ts'
import { ApiError } from '../../base/errors.ts'
import { dispatch } from './dispatch.ts'

/**
 * The API's response to a request that does not come over HTTP: by the same endpoints, permissions and rules. Refusals
 * are responses too; throws if the service itself fails.
 */
export async function respondInProcess(
  routes: Pick<Routes, 'find'>,
  { service, actor, id, base, method, path, body, signal }: InProcessRequest,
): Promise<InProcessResponse> {
  const url = new URL(`${base}${path}`)
  try {
    const route = path.startsWith('/api/') ? routes.find(path.split('?', 1)[0] ?? '') : undefined
    if (!route) throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
    checkBulk(body, service.settings.maxBulkObjects)
    const request = {
      ...{ service, id, method, base, url, search: url.searchParams, address: undefined },
      parameters: route.parameters,
      headers: { accept: 'application/json' },
      body: parsedBody(body),
      signal: () => signal,
      currentActor: async () => actor,
    }
    const response = await wholeResponse(await dispatch(request, route, async () => ({ actor })))
    return {
      status: response.status,
      body: response.body === undefined ? undefined : bodyText(response),
    }
  } catch (error) {
    const response = errorResponse(error)
    if (!response) throw error
    return { status: response.status, body: bodyText(response) }
  }
}
