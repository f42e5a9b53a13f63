import { hasWorkers } from '../../../automation/jobs/live-workers.ts'
import { enqueueScript } from '../../../automation/scripts/enqueue-script.ts'
import { requestedDeclaration } from '../../../automation/scripts/script-location.ts'
import { ApiError, forbidden } from '../../../base/errors.ts'
import { type Check, checksOf } from '../../../changes/branches/checks.ts'
import { OPEN } from '../../../db/branches/branch-database.ts'
import { permittedRows } from '../../../identity/permitted-rows.ts'
import { requireUser } from '../../../identity/require-user.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { mainOf } from '../../../service.ts'
import { empty, sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { visibleBranch } from '../../branch-request.ts'
import { type HttpResponse, jsonResponse } from '../../response.ts'
import { type Action, listOf } from '../action.ts'
import { findTarget } from '../target.ts'

/** The change request in the path, if the sender may view it, with its checks. */
async function requestOf(request: ApiRequest) {
  const changeRequest = await findTarget<{ title: string; branch: number | null }>(
    { ...request, service: mainOf(request.service) },
    SYSTEM.changeRequest,
    { permission: 'view', columns: sql`, t.title, t.branch_id as branch` },
  )
  return { ...changeRequest, checks: await checksOf(mainOf(request.service).database, changeRequest.id) }
}

/** The checks whose scripts the sender may view, or run. */
async function permittedChecks(
  { actor, service }: ApiRequest,
  checks: readonly Check[],
  action: 'view' | 'run',
): Promise<readonly Check[]> {
  const { database, registry, settings } = mainOf(service)
  const permitted = permittedRows(actor, action, registry.model(SYSTEM.script), settings)
  const ids = await database.queryColumn(sql`
    select t.id from ${table(SYSTEM.script)} t
    where t.id = any(${checks.map(({ script }) => script)}::bigint[])${permitted === 'all' ? empty : sql` and ${permitted}`}`)
  return checks.filter(({ script }) => ids.some((id) => Number(id) === script))
}

/** GET: the checks with their latest runs. */
async function listChecks(request: ApiRequest): Promise<HttpResponse> {
  const { checks } = await requestOf(request)
  const results = (await permittedChecks(request, checks, 'view')).map(({ script, name, job, status, started }) => ({
    script: { id: script, url: `${request.base}/api/extras/scripts/${script}/`, name },
    job: job === null ? null : { id: job, url: `${request.base}/api/core/jobs/${job}/`, status, started },
  }))
  return jsonResponse(200, { count: results.length, results })
}

/** POST: runs the checks in the branch; what they change is rolled back. */
async function runChecks(request: ApiRequest): Promise<HttpResponse> {
  const user = requireUser(request)
  const service = mainOf(request.service)
  const { id, title, branch: branchId, checks } = await requestOf(request)
  const branch = await visibleBranch({ ...request, service }, branchId)
  if (branchId === null) throw new ApiError({ kind: 'malformed', detail: 'The branch has been deleted.' })
  if (!branch) throw forbidden('You may not view the branch of the change request.')
  if (branch.status !== OPEN) throw new ApiError({ kind: 'malformed', detail: `The branch is ${branch.status}.` })
  if (checks.length === 0) throw new ApiError({ kind: 'malformed', detail: 'The change request has no checks.' })
  if ((await permittedChecks(request, checks, 'run')).length < checks.length) {
    throw forbidden('You may not run all checks of the change request.')
  }
  if (!(await hasWorkers(service))) {
    throw new ApiError({ kind: 'unavailable', detail: 'No process of this service runs background jobs.' })
  }
  const declarations = await Promise.all(
    checks.map(({ script, name }) => requestedDeclaration(service, script, `The check "${name}"`)),
  )
  await service.database.transaction(async (transaction) => {
    for (const [index, { script }] of checks.entries()) {
      await enqueueScript(transaction, service, {
        ...{ script, name: `Check of ${title}`, base: request.base, branch: branch.schemaId, changeRequest: id },
        ...{
          data: {},
          commit: false,
          user: user.id,
          permission: 'run',
          notifications: 'never',
          timeout: declarations[index]?.timeout,
        },
      })
    }
  })
  return await listChecks(request)
}

const LIST = {
  type: 'object',
  required: ['count', 'results'],
  properties: { count: { type: 'integer' }, results: listOf({ type: 'object', additionalProperties: {} }) },
}

/** The actions on a change request. */
export const changeRequestActions: readonly Action[] = [
  {
    path: 'core/change-requests/:id/checks',
    title: 'Change request',
    description: 'Lists the checks of a change request with their latest runs, and runs them in its branch.',
    hasNoHistory: true,
    methods: {
      GET: {
        permission: { view: SYSTEM.changeRequest },
        summary: 'List the checks of a change request',
        answer: LIST,
        handle: listChecks,
      },
      POST: {
        permission: { view: SYSTEM.changeRequest },
        summary: 'Run the checks of a change request',
        answer: LIST,
        handle: runChecks,
      },
    },
  },
]
