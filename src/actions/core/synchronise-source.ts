import { queueSync } from '../../data-sources/schedule.ts'
import { ApiError } from '../../errors.ts'
import { hasWorkers } from '../../jobs/live-workers.ts'
import { dataSource } from '../../models/core/data-source.ts'
import { committedData } from '../../output/read-source.ts'
import { type Action, type ActionRequest, type ActionResponse, schema } from '../action.ts'
import { answerObject } from '../answer-object.ts'
import { findTarget } from '../target.ts'

/** Adds a job that fetches the files of the source. Answers with the source as it is before that. */
async function synchroniseSource(request: ActionRequest): Promise<ActionResponse> {
  const { service, actor, base } = request
  if (!(await hasWorkers(service))) {
    const detail = 'Unable to synchronise: no process of this service runs background jobs.'
    throw new ApiError({ kind: 'unavailable', detail })
  }
  const { id } = await findTarget(request, dataSource.name, { permission: 'sync' })
  const answer = await answerObject(committedData(service), {
    ...{ model: dataSource.name, id, base },
    // NetBox 4.6.8 does not count the files here.
    omit: ['file_count'],
  })
  await queueSync(service, id, actor.kind === 'user' ? actor.id : undefined)
  return answer
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
