import { queueSync } from '../../data-sources/schedule.ts'
import { ApiError } from '../../errors.ts'
import { hasWorkers } from '../../jobs/live-workers.ts'
import { dataSource } from '../../models/core/data-source.ts'
import { projectionOf } from '../../output/projection.ts'
import { fetchObjects } from '../../output/read-objects.ts'
import { committedData } from '../../output/read-source.ts'
import {
  type Action,
  type ActionRequest,
  type ActionResponse,
  answerText,
  schema,
} from '../action.ts'
import { findTarget } from '../target.ts'

/** Adds a job that fetches the files of the source. Answers with the source as it is before that. */
async function synchroniseSource(request: ActionRequest): Promise<ActionResponse> {
  const { service, actor, base } = request
  if (!(await hasWorkers(service))) {
    const detail = 'Unable to synchronise: no process of this service runs background jobs.'
    throw new ApiError({ kind: 'unavailable', detail })
  }
  const { id } = await findTarget(request, dataSource.name, { permission: 'sync' })
  // NetBox 4.6.8 does not count the files here.
  const projection = projectionOf(service, service.registry.model(dataSource.name), {
    omit: ['file_count'],
    brief: false,
    excludeContext: false,
  })
  const texts = await fetchObjects(committedData(service), [id], projection, base)
  await queueSync(service, id, actor.kind === 'user' ? actor.id : undefined)
  return answerText(texts.get(id) ?? '')
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
