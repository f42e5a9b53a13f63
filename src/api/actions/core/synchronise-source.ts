import { queueSyncs } from '../../../automation/data-sources/schedule.ts'
import { hasWorkers } from '../../../automation/jobs/live-workers.ts'
import { ApiError } from '../../../base/errors.ts'
import { requireUser } from '../../../identity/require-user.ts'
import { dataSource } from '../../../models/core/data-source.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import type { Service } from '../../../service.ts'
import type { ApiRequest } from '../../api-request.ts'
import type { HttpResponse } from '../../response.ts'
import { type Action, schema } from '../action.ts'
import { objectResponse } from '../object-response.ts'
import { findTarget } from '../target.ts'

/** Adds a job that fetches the files of the source. Responds with the source as it was before. */
async function synchroniseSource(request: ApiRequest): Promise<HttpResponse> {
  const { service, base } = request
  await requireWorkers(service)
  const { id } = await findTarget(request, dataSource.name, { permission: 'sync' })
  const response = await objectResponse(committedData(service), {
    ...{ model: dataSource.name, id, base },
    // NetBox 4.6.8 does not count the files here.
    omit: ['file_count'],
  })
  await queueSyncs(service, [id], requireUser(request).id)
  return response
}

/** Adds jobs that fetch the files of these sources. The sender's permissions for them are not checked. */
export async function synchroniseSources(
  request: Pick<ApiRequest, 'service' | 'actor'>,
  ids: readonly number[],
): Promise<void> {
  await requireWorkers(request.service)
  await queueSyncs(request.service, ids, requireUser(request).id)
}

async function requireWorkers(service: Service): Promise<void> {
  if (await hasWorkers(service)) return
  const detail = 'Unable to synchronise: no process of this service runs background jobs.'
  throw new ApiError({ kind: 'unavailable', detail })
}

export const sourceSync: Action = {
  path: 'core/data-sources/:id/sync',
  title: 'Data Source',
  methods: {
    POST: {
      permission: { sync: dataSource.name },
      body: schema('WritableDataSourceRequest'),
      answer: schema('DataSource'),
      handle: synchroniseSource,
    },
  },
}
