import { ApiError } from '../../errors.ts'
import {
  type Action,
  type ActionRequest,
  type ActionResponse,
  ANY_OBJECT,
  listOf,
  type Operation,
  schema,
} from '../action.ts'
import { listPage, PAGE_PARAMETERS } from '../list-page.ts'

/**
 * The reference's task queue. This service has no queue besides the jobs of /api/core/jobs/: the lists are empty, and
 * there is no task to stop or to enqueue.
 */
const none = async (request: ActionRequest): Promise<ActionResponse> =>
  listPage(request, [], () => '')

const notThere = async (): Promise<ActionResponse> => {
  throw new ApiError({ kind: 'notFound', detail: 'Not found.' })
}

const list = (path: string, title: string): Action => ({
  path,
  title,
  methods: {
    GET: {
      permission: 'superuser',
      parameters: PAGE_PARAMETERS,
      answer: ANY_OBJECT,
      handle: none,
    },
  },
})

const detail = (path: string, title: string, verb: string): Action => ({
  path,
  title,
  methods: { GET: { permission: 'superuser', answer: ANY_OBJECT, verb, handle: notThere } },
})

const change: Operation = {
  permission: 'superuser',
  body: schema('BackgroundTaskRequest'),
  answer: schema('BackgroundTask'),
  handle: notThere,
}

const TEXTS = [
  'id',
  'description',
  'origin',
  'func_name',
  'result',
  'worker_name',
  'last_heartbeat',
]
const NUMBERS = ['timeout', 'result_ttl']
const MOMENTS = ['created_at', 'enqueued_at', 'started_at', 'ended_at']
const STATES = [
  'finished',
  'queued',
  'failed',
  'started',
  'deferred',
  'canceled',
  'scheduled',
  'stopped',
]

const SENT = {
  ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' }])),
  ...Object.fromEntries(NUMBERS.map((name) => [name, { type: 'integer' }])),
  ...Object.fromEntries(MOMENTS.map((name) => [name, { type: 'string', format: 'date-time' }])),
  ...Object.fromEntries(STATES.map((state) => [`is_${state}`, { type: 'boolean' }])),
  meta: { type: 'object', additionalProperties: {} },
}

export const backgroundActions: readonly Action[] = [
  list('core/background-queues', 'Background Queues'),
  detail('core/background-queues/:name', 'Background Queues', 'retrieve_by_name'),
  list('core/background-workers', 'Background Workers'),
  detail('core/background-workers/:name', 'Background Workers', 'retrieve_by_name'),
  list('core/background-tasks', 'Background Tasks'),
  detail('core/background-tasks/:id', 'Background Tasks', 'retrieve_by_id'),
  ...['delete', 'enqueue', 'requeue', 'stop'].map(
    (name): Action => ({
      path: `core/background-tasks/:id/${name}`,
      title: 'Background Tasks',
      methods: { POST: change },
      schemas: {
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
      },
    }),
  ),
]
