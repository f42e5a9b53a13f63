import { enqueue } from '../../automation/jobs/enqueue.ts'
import { hasWorkers } from '../../automation/jobs/live-workers.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { requirePermission } from '../../identity/permitted-rows.ts'
import { requireUser } from '../../identity/require-user.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { hasSecrets } from '../../schema/has-secrets.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { mainOf, pathInBranch } from '../../service.ts'
import type { ApiRequest } from '../api-request.ts'
import { type HttpResponse, jsonResponse } from '../response.ts'

type ModelHandler = (request: ApiRequest, model: Model) => Promise<HttpResponse>

/** Name of the kind of job that performs a request. */
export const REQUEST_JOB = 'request'

const PARAMETER = 'background'
const YES: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on'])

const ACTIONS: Readonly<Record<string, string>> = {
  POST: 'add',
  PUT: 'change',
  PATCH: 'change',
  DELETE: 'delete',
}

/** The handler of a collection, which hands the request to a background job if `background=true` asks for it. */
export const inBackground =
  (handle: ModelHandler): ModelHandler =>
  (request, model) =>
    request.search.has(PARAMETER) && YES.has(lastValue(request.search, PARAMETER)?.toLowerCase() ?? '')
      ? startJob(request, model)
      : handle(request, model)

/** 202 with the job that performs the request. The body is not validated beforehand. */
async function startJob(request: ApiRequest, model: Model): Promise<HttpResponse> {
  const { service, actor, method, base, search, headers } = request
  const user = requireUser(request)
  if (request.dryRun) {
    throw invalid({ detail: 'dry_run=true cannot be combined with background=true.' })
  }
  requirePermission(actor, ACTIONS[method] ?? 'change', model, service.settings)
  if (headers['if-match'] !== undefined) {
    throw invalid({ detail: 'If-Match cannot be combined with background=true.' })
  }
  if (hasSecrets(model)) {
    throw invalid({ detail: 'Requests that contain secrets cannot run in the background.' })
  }
  const body = await jsonBody(request, model)
  if (!(await hasWorkers(service))) {
    const detail = 'Unable to process request: no process of this service runs background jobs.'
    throw new ApiError({ kind: 'unavailable', detail })
  }
  const main = mainOf(service)
  const job = await main.database.transaction((transaction) =>
    enqueue(transaction, main, {
      kind: REQUEST_JOB,
      name: `${method} /api/${model.path}/`,
      user: user.id,
      parameters: {
        method,
        base,
        body,
        path: pathInBranch(service.branch?.schemaId, `/api/${model.path}/${queryOf(search)}`),
      },
      notifications: 'never',
      isPrivate: true,
    }),
  )
  const url = `${base}/api/core/jobs/${job.id}/`
  return jsonResponse(
    202,
    { job: { id: job.id, url, status: { value: 'pending', label: 'Pending' } } },
    { Location: url },
  )
}

async function jsonBody({ body }: ApiRequest, model: Model): Promise<Json> {
  if (await body.form()) {
    throw invalid({ detail: 'Forms cannot be processed in the background: send JSON.' })
  }
  // A body that is not a form is JSON.
  return ((await body.read(model)) ?? null) as Json
}

function queryOf(search: URLSearchParams): string {
  const query = new URLSearchParams([...search].filter(([name]) => name !== PARAMETER))
  return query.size === 0 ? '' : `?${query}`
}
