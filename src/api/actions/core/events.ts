import { ApiError, invalid } from '../../../base/errors.ts'
import { compileEventFilters, OWN_FILTERS, type RelationFilters } from '../../../changes/stream/event-filters.ts'
import { EVENT_STREAM, eventSource } from '../../../changes/stream/event-source.ts'
import { waitForEvents } from '../../../changes/stream/long-poll.ts'
import type { EventBatch } from '../../../changes/stream/read-events.ts'
import { FROM_NOW, startPosition } from '../../../changes/stream/start-position.ts'
import { rowSecurityOf } from '../../../identity/permitted-rows.ts'
import { lastValue } from '../../../read/query/last-value.ts'
import { parseInteger } from '../../../read/query/parse-value.ts'
import { RefusedValue } from '../../../read/query/refused-value.ts'
import { parseWindow } from '../../../read/query/window.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { ApiRequest } from '../../api-request.ts'
import { type HttpResponse, okResponse } from '../../response.ts'
import { wantsEventStream } from '../../transport/negotiate.ts'
import { action, listOf, queryParameter, schema } from '../action.ts'

/** Filters by objects that events concern. */
export const RELATIONS: RelationFilters = {
  site: { model: 'dcim.site', by: 'slug' },
  site_id: { model: 'dcim.site', by: 'id' },
  tenant: { model: 'tenancy.tenant', by: 'slug' },
  tenant_id: { model: 'tenancy.tenant', by: 'id' },
}

/** Seconds that a request may wait. */
const LONGEST_WAIT = 60

/** Maximum number of events in one response, or in one message of a stream. */
const MOST_EVENTS = 1_000

/** GET: events after a position, immediately or when there are some; or a stream of server-sent events. */
async function readStream(request: ApiRequest): Promise<HttpResponse> {
  const { service, actor, search, base } = request
  if (service.branch) {
    const detail =
      'The stream contains only changes on main. Read the changes of the branch instead, or send the request without the branch.'
    throw new ApiError({ kind: 'malformed', detail })
  }
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const where = await compileEventFilters(service, security, search, RELATIONS)
  const wait = parseWait(search)
  const after = await startPosition(service, givenPosition(request))
  const reader = {
    service,
    query: { where, limit: parseLimit(request), base },
    actor: request.currentActor,
  }
  if (wantsEventStream(request)) {
    return { status: 200, type: EVENT_STREAM, headers: HEADERS, body: eventSource(reader, after) }
  }
  const { requestTimeout } = service.settings
  const batch = await waitForEvents(reader, after, {
    // The response must be sent before the request's time limit.
    milliseconds: Math.min(wait, requestTimeout / 2),
    signal: request.signal(),
  })
  return okResponse(pageText(request.url, batch))
}

/** Proxies must pass on each event at once. */
const HEADERS = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }

/** A reconnecting client repeats the URL of its first request, so the header takes precedence. */
const givenPosition = ({ headers, search }: ApiRequest): string | undefined => {
  const last = headers['last-event-id'] ?? ''
  return last === '' ? lastValue(search, 'after') : last
}

function parseLimit({ search, service }: ApiRequest): number {
  const only = new URLSearchParams([...search].filter(([name]) => name === 'limit'))
  return Math.min(parseWindow(only, service.settings).limit ?? MOST_EVENTS, MOST_EVENTS)
}

/** Milliseconds to wait. */
function parseWait(search: URLSearchParams): number {
  const wait = lastValue(search, 'wait')
  if (wait === undefined) return 0
  try {
    const seconds = Number(parseInteger(wait))
    if (seconds >= 0 && seconds <= LONGEST_WAIT) return seconds * 1_000
  } catch (error) {
    if (!(error instanceof RefusedValue)) throw error
  }
  throw invalid({ wait: [`Enter a number of seconds from 0 to ${LONGEST_WAIT}.`] })
}

function pageText(url: URL, { events, position }: EventBatch): string {
  const next = new URL(url)
  next.searchParams.set('after', String(position))
  return `{"next":${JSON.stringify(next.href)},"position":${position},"results":[${events.map(({ text }) => text).join(',')}]}`
}

const PARAMETERS: readonly JsonObject[] = [
  queryParameter(
    'after',
    `Position behind which to read, or \`${FROM_NOW}\` for the current end; by default the first event that is kept`,
    { type: 'string' },
  ),
  queryParameter('wait', 'Seconds to wait if there is no event yet', {
    type: 'integer',
    minimum: 0,
    maximum: LONGEST_WAIT,
  }),
  queryParameter('limit', 'Number of events to return', { type: 'integer' }),
  queryParameter('stream', 'Server-sent events without an end, as with `Accept: text/event-stream`', {
    type: 'boolean',
  }),
  ...[...OWN_FILTERS, ...Object.keys(RELATIONS)].map((name) =>
    queryParameter(name, 'Several values are alternatives', listOf({ type: 'string' })),
  ),
]

const EVENT: JsonObject = {
  type: 'object',
  required: ['position', 'event', 'time', 'object_type', 'object_id', 'object_repr', 'change_id'],
  properties: {
    position: { type: 'integer', format: 'int64' },
    event: { type: 'string', enum: ['object_created', 'object_updated', 'object_deleted'] },
    time: { type: 'string', format: 'date-time' },
    request_id: { type: 'string', format: 'uuid' },
    user_id: { type: 'integer', format: 'int64', nullable: true },
    user_name: { type: 'string' },
    object_type: { type: 'string' },
    object_id: { type: 'integer', format: 'int64' },
    object_url: { type: 'string', format: 'uri', nullable: true },
    object_repr: { type: 'string' },
    message: { type: 'string' },
    change_id: { type: 'integer', format: 'int64' },
    prechange_data: { type: 'object', additionalProperties: {}, nullable: true },
    postchange_data: { type: 'object', additionalProperties: {}, nullable: true },
  },
}

export const eventsAction = action({
  path: 'core/events',
  hasNoHistory: true,
  title: 'Events',
  description: 'Changes of objects in the order of their commits, as a stream that can be resumed.',
  offersEventStream: true,
  methods: {
    GET: {
      permission: { view: SYSTEM.objectChange },
      summary: 'Read the stream of events',
      parameters: PARAMETERS,
      answer: schema('EventPage'),
      otherTypes: [EVENT_STREAM],
      handle: readStream,
    },
  },
  schemas: {
    Event: EVENT,
    EventPage: {
      type: 'object',
      required: ['next', 'position', 'results'],
      properties: {
        next: { type: 'string', format: 'uri' },
        position: { type: 'integer', format: 'int64' },
        results: listOf(schema('Event')),
      },
    },
  },
})
