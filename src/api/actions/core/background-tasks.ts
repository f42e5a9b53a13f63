import { deleteTask, runAgain, stopTask } from '../../../automation/jobs/control.ts'
import { ApiError } from '../../../errors.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { Service } from '../../../service.ts'
import { type Sql, sql } from '../../../sql/fragment.ts'
import { table } from '../../../sql/table.ts'
import {
  type Action,
  type ActionRequest,
  type ActionResponse,
  ANY_OBJECT,
  answerJson,
  listOf,
  type Operation,
  schema,
} from '../action.ts'
import { listPage, PAGE_PARAMETERS } from '../list-page.ts'

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

function shown(base: string, task: TaskRow) {
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

async function listTasks(request: ActionRequest): Promise<ActionResponse> {
  const { service, base } = request
  const recent = new Date(service.clock.now() - RESULT_TTL * 1_000)
  const tasks = await readTasks(service, sql`t.state <> 'finished' or t.ended >= ${recent}::timestamptz`)
  return listPage(request, tasks, (task) => JSON.stringify(shown(base, task)))
}

const notThere = () => new ApiError({ kind: 'notFound', detail: 'Not found.' })

const UUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i

/** The UUID in the path. Throws `notFound` for any other text. */
function taskId({ parameters }: ActionRequest): string {
  const id = parameters[0] ?? ''
  if (!UUID.test(id)) throw notThere()
  return id
}

async function oneTask(request: ActionRequest): Promise<ActionResponse> {
  const { service, base } = request
  const [task] = await readTasks(service, sql`j.job_id = ${taskId(request)}::uuid`)
  if (!task) throw notThere()
  return answerJson(shown(base, task))
}

const DONE: ActionResponse = { status: 200 }

const changing =
  (work: typeof runAgain): Operation['handle'] =>
  async (request) => {
    if (!(await work(request.service, taskId(request)))) throw notThere()
    return DONE
  }

async function stop(request: ActionRequest): Promise<ActionResponse> {
  const result = await stopTask(request.service, taskId(request))
  if (!result) throw notThere()
  return result === 'stopping' ? DONE : { status: 204 }
}

const CHANGES: Readonly<Record<string, Operation['handle']>> = {
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

export const taskActions: readonly Action[] = [
  {
    path: 'core/background-tasks',
    hasNoHistory: true,
    title: 'Background Tasks',
    methods: {
      GET: {
        permission: 'superuser',
        parameters: PAGE_PARAMETERS,
        answer: ANY_OBJECT,
        handle: listTasks,
      },
    },
  },
  {
    path: 'core/background-tasks/:id',
    hasNoHistory: true,
    title: 'Background Tasks',
    methods: {
      GET: {
        permission: 'superuser',
        answer: ANY_OBJECT,
        verb: 'retrieve_by_id',
        handle: oneTask,
      },
    },
  },
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
