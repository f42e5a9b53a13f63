import { liveWorkers } from '../../../automation/jobs/live-workers.ts'
import { QUEUES } from '../../../automation/jobs/queues.ts'
import { notFound } from '../../../errors.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import { sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import { type Action, type ActionRequest, ANY_OBJECT, answerText } from '../action.ts'
import { listPage, PAGE_PARAMETERS } from '../list-page.ts'

const NAMES = [...QUEUES].sort()

/** The queues by name, as JSON texts. */
async function queues(request: ActionRequest): Promise<ReadonlyMap<string, string>> {
  const { service, base } = request
  const tasks = await service.database.query<{
    queue: string
    state: string
    count: number
    oldest: string | null
  }>(sql`
    select j.queue_name as queue, t.state, count(*)::int as count, min(t.enqueued) as oldest
    from ${table(SYSTEM.jobTask)} t join ${table(SYSTEM.job)} j on j.id = t.job_id
    group by 1, 2`)
  const workers = await liveWorkers(service)
  return new Map(
    NAMES.map((name, index) => {
      const own = new Map(tasks.filter(({ queue }) => queue === name).map((task) => [task.state, task]))
      const count = (...states: readonly string[]) =>
        states.reduce((sum, state) => sum + (own.get(state)?.count ?? 0), 0)
      const queue = {
        name,
        url: `${base}/api/core/background-queues/${name}/`,
        jobs: count('queued'),
        oldest_job_timestamp: readable(own.get('queued')?.oldest ?? null),
        index,
        scheduler_pid: workers[0] ? String(workers[0].pid) : null,
        workers: workers.length,
        finished_jobs: count('finished'),
        started_jobs: count('started'),
        deferred_jobs: 0,
        failed_jobs: count('failed', 'stopped'),
        scheduled_jobs: count('scheduled'),
      }
      return [name, JSON.stringify(queue)]
    }),
  )
}

const readable = (timestamp: string | null): string =>
  timestamp === null ? '-' : timestamp.slice(0, 19).replace('T', ', ')

const listQueues = async (request: ActionRequest) =>
  listPage(request, [...(await queues(request)).values()], (text) => text)

async function oneQueue(request: ActionRequest) {
  const text = (await queues(request)).get(request.parameters[0] ?? '')
  if (text === undefined) throw notFound('Queue')
  return answerText(text)
}

export const queueActions: readonly Action[] = [
  {
    path: 'core/background-queues',
    hasNoHistory: true,
    title: 'Background Queues',
    methods: {
      GET: {
        permission: 'superuser',
        parameters: PAGE_PARAMETERS,
        answer: ANY_OBJECT,
        handle: listQueues,
      },
    },
  },
  {
    path: 'core/background-queues/:name',
    hasNoHistory: true,
    title: 'Background Queues',
    methods: {
      GET: {
        permission: 'superuser',
        answer: ANY_OBJECT,
        verb: 'retrieve_by_name',
        handle: oneQueue,
      },
    },
  },
]
