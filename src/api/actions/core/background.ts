import { deleteTask, runAgain, stopTask } from '../../../automation/jobs/control.ts'
import { liveWorkers } from '../../../automation/jobs/live-workers.ts'
import { QUEUES } from '../../../automation/jobs/queues.ts'
import { ApiError, notFound } from '../../../base/errors.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { Service } from '../../../service.ts'
import { type Sql, sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import type { ApiRequest } from '../../api-request.ts'
import { type HttpResponse, jsonResponse } from '../../response.ts'
import { type Action, type ActionOperation, ANY_OBJECT, listOf, schema } from '../action.ts'
import { listResponse, PAGE_PARAMETERS } from '../list-response.ts'

/** The queues with their numbers of tasks, by name. */
async function queues({ service, base }: ApiRequest): Promise<readonly JsonObject[]> {
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
  return [...QUEUES].sort().map((name, index) => {
    const ofState = new Map(tasks.filter(({ queue }) => queue === name).map((task) => [task.state, task]))
    const count = (state: string) => ofState.get(state)?.count ?? 0
    return {
      name,
      url: `${base}/api/core/background-queues/${name}/`,
      jobs: count('queued'),
      oldest_job_timestamp: ofState.get('queued')?.oldest?.slice(0, 19).replace('T', ', ') ?? '-',
      index,
      scheduler_pid: workers[0] ? String(workers[0].pid) : null,
      workers: workers.length,
      finished_jobs: count('finished'),
      started_jobs: count('started'),
      deferred_jobs: 0,
      failed_jobs: count('failed') + count('stopped'),
      scheduled_jobs: count('scheduled'),
    }
  })
}

/** The workers of all processes, by name. */
const workers = async ({ service, base }: ApiRequest): Promise<readonly JsonObject[]> =>
  (await liveWorkers(service)).map((worker) => ({
    name: worker.name,
    url: `${base}/api/core/background-workers/${worker.name}/`,
    state: worker.is_busy ? 'busy' : 'idle',
    birth_date: worker.started,
    queue_names: QUEUES,
    pid: worker.pid,
    successful_job_count: worker.successes,
    failed_job_count: worker.failures,
    total_working_time: Number(worker.working_time),
  }))

/** Seconds for which the list shows tasks that have succeeded. */
const RESULT_TTL = 500

interface TaskRow extends Record<string, unknown> {
  readonly job_id: string
  readonly state: string
  readonly kind: string
  readonly name: string
  readonly queue_name: string
  readonly timeout: number
  readonly created: string
  readonly enqueued: string | null
  readonly started: string | null
  readonly ended: string | null
  readonly worker: string
  readonly heartbeat: string | null
  readonly object_type: string | null
  readonly object_id: number | null
  /** Number of tasks of the same queue before it; null if it is not waiting. */
  readonly position: number | null
}

const readTasks = ({ database }: Service, where: Sql): Promise<TaskRow[]> =>
  database.query<TaskRow>(sql`
    select j.job_id, t.state, t.kind, j.name, j.queue_name, t.timeout, j.created, t.enqueued, j.started, t.ended, t.worker,
      t.heartbeat, j.object_type, j.object_id,
      case when t.state = 'queued' then (
        select count(*)::int from ${table(SYSTEM.jobTask)} o
        where o.state = 'queued' and o.priority = t.priority and (o.due, o.id) < (t.due, t.id)) end as position
    from ${table(SYSTEM.jobTask)} t join ${table(SYSTEM.job)} j on j.id = t.job_id
    where ${where}
    order by t.id desc`)

function taskJson(base: string, task: TaskRow): JsonObject {
  const is = (...states: readonly string[]) => states.includes(task.state)
  return {
    id: task.job_id,
    url: `${base}/api/core/background-tasks/${task.job_id}/`,
    description: `${task.kind}(${task.object_type === null ? '' : `${task.object_type} ${task.object_id}`})`,
    origin: task.queue_name,
    func_name: task.kind,
    args: [],
    kwargs: { name: task.name, object_type: task.object_type, object_id: task.object_id },
    result: null,
    timeout: task.timeout,
    result_ttl: RESULT_TTL,
    created_at: task.created,
    enqueued_at: task.enqueued,
    started_at: task.started,
    ended_at: task.ended,
    worker_name: task.worker === '' ? null : task.worker,
    position: task.position,
    status: task.state,
    meta: {},
    last_heartbeat: task.heartbeat,
    is_finished: is('finished'),
    is_queued: is('queued'),
    is_failed: is('failed'),
    is_started: is('started'),
    is_deferred: false,
    is_canceled: false,
    is_scheduled: is('scheduled'),
    is_stopped: is('stopped'),
  }
}

/** The tasks that have not succeeded, or not long ago, the newest first. */
async function tasks({ service, base }: ApiRequest): Promise<readonly JsonObject[]> {
  const recent = new Date(service.clock.now() - RESULT_TTL * 1_000)
  const rows = await readTasks(service, sql`t.state <> 'finished' or t.ended >= ${recent}::timestamptz`)
  return rows.map((task) => taskJson(base, task))
}

const notThere = () => new ApiError({ kind: 'notFound', detail: 'Not found.' })

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i

/** The UUID in the path. Throws `notFound` for any other text. */
function taskId({ parameters }: ApiRequest): string {
  const id = parameters[0] ?? ''
  if (!UUID.test(id)) throw notThere()
  return id
}

async function oneTask(request: ApiRequest): Promise<JsonObject> {
  const [task] = await readTasks(request.service, sql`j.job_id = ${taskId(request)}::uuid`)
  if (!task) throw notThere()
  return taskJson(request.base, task)
}

const DONE: HttpResponse = { status: 200 }

const changing =
  (work: typeof runAgain): ActionOperation['handle'] =>
  async (request) => {
    if (!(await work(request.service, taskId(request)))) throw notThere()
    return DONE
  }

async function stop(request: ApiRequest): Promise<HttpResponse> {
  const result = await stopTask(request.service, taskId(request))
  if (!result) throw notThere()
  return result === 'stopping' ? DONE : { status: 204 }
}

const CHANGES: Readonly<Record<string, ActionOperation['handle']>> = {
  delete: changing(deleteTask),
  enqueue: changing(runAgain),
  requeue: changing(runAgain),
  stop,
}

const TEXTS = ['id', 'description', 'origin', 'func_name', 'result', 'worker_name', 'last_heartbeat']
const NUMBERS = ['timeout', 'result_ttl']
const TIMESTAMPS = ['created_at', 'enqueued_at', 'started_at', 'ended_at']
const STATES = ['finished', 'queued', 'failed', 'started', 'deferred', 'canceled', 'scheduled', 'stopped']

const SENT = {
  ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' }])),
  ...Object.fromEntries(NUMBERS.map((name) => [name, { type: 'integer' }])),
  ...Object.fromEntries(TIMESTAMPS.map((name) => [name, { type: 'string', format: 'date-time' }])),
  ...Object.fromEntries(STATES.map((state) => [`is_${state}`, { type: 'boolean' }])),
  meta: { type: 'object', additionalProperties: {} },
}

const SCHEMAS = {
  BackgroundTaskRequest: { type: 'object', properties: SENT },
  BackgroundTask: {
    type: 'object',
    properties: {
      ...SENT,
      url: { type: 'string', format: 'uri', readOnly: true },
      args: { ...listOf({}), readOnly: true },
      kwargs: { type: 'object', additionalProperties: {}, readOnly: true },
      position: { type: 'integer', readOnly: true },
      status: { type: 'string', readOnly: true },
    },
  },
}

/** The object of a collection that the path names. Throws `notFound`, with this title, if there is none. */
const oneByName =
  (list: typeof queues, title: string) =>
  async (request: ApiRequest): Promise<JsonObject> => {
    const object = (await list(request)).find(({ name }) => name === request.parameters[0])
    if (!object) throw notFound(title)
    return object
  }

/** NetBox's views of the queue of jobs, by path. */
const COLLECTIONS = {
  queues: { title: 'Background Queues', list: queues, by: 'name', read: oneByName(queues, 'Queue') },
  workers: { title: 'Background Workers', list: workers, by: 'name', read: oneByName(workers, 'Worker') },
  tasks: { title: 'Background Tasks', list: tasks, by: 'id', read: oneTask },
}

/** The queues, workers and tasks of jobs, in the form of NetBox's. */
export const backgroundActions: readonly Action[] = [
  ...Object.entries(COLLECTIONS).flatMap(([name, { title, list, by, read }]): readonly Action[] => {
    const path = `core/background-${name}`
    const common = { permission: 'superuser', answer: ANY_OBJECT } as const
    const listed: ActionOperation = {
      ...common,
      parameters: PAGE_PARAMETERS,
      handle: async (request) => listResponse(request, await list(request), (object) => JSON.stringify(object)),
    }
    const retrieved: ActionOperation = {
      ...common,
      verb: `retrieve_by_${by}`,
      handle: async (request) => jsonResponse(200, await read(request)),
    }
    return [
      { path, hasNoHistory: true, title, methods: { GET: listed } },
      { path: `${path}/:${by}`, hasNoHistory: true, title, methods: { GET: retrieved } },
    ]
  }),
  ...Object.entries(CHANGES).map(
    ([name, handle]): Action => ({
      path: `core/background-tasks/:id/${name}`,
      title: 'Background Tasks',
      methods: {
        POST: {
          permission: 'superuser',
          body: schema('BackgroundTaskRequest'),
          answer: schema('BackgroundTask'),
          handle,
        },
      },
      schemas: SCHEMAS,
    }),
  ),
]
