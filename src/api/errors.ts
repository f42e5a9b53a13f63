import { API_VERSIONS, type ApiVersion } from '../base/api-version.ts'
import { ApiError, type ListErrors, type Messages, type Reason } from '../base/errors.ts'
import { problemOfValues, StatementFailed } from '../db/failures.ts'
import { jsonResponse, type WholeResponse } from './response.ts'

type Responses = {
  readonly [K in Reason['kind']]: (reason: Extract<Reason, { kind: K }>) => WholeResponse
}

const detail = (status: number, text: string, headers?: WholeResponse['headers']): WholeResponse =>
  jsonResponse(status, { detail: text }, headers)

/** Response to each kind of refusal. */
const RESPONSES: Responses = {
  invalid: ({ messages }) => jsonResponse(400, messages),
  malformed: (reason) => detail(400, reason.detail),
  // Not 401: the session scheme, which has no challenge, comes first.
  unauthenticated: (reason) => detail(403, reason.detail),
  forbidden: (reason) => detail(403, reason.detail),
  notFound: (reason) => detail(404, reason.detail),
  methodNotAllowed: ({ method }) => detail(405, `Method "${method}" not allowed.`),
  notAcceptable: ({ refused }) =>
    detail(
      406,
      `Could not satisfy the request Accept header.${refused === 'version' ? ` Versions of the API: ${API_VERSIONS.join(', ')}.` : ''}`,
    ),
  inUse: (reason) => detail(409, reason.detail),
  conflict: (reason) => jsonResponse(409, { detail: reason.detail, conflicts: reason.conflicts }),
  exhausted: (reason) => detail(409, reason.detail),
  gone: (reason) => jsonResponse(410, { detail: reason.detail, resume_after: reason.resumeAfter }),
  preconditionFailed: ({ etag }) =>
    detail(
      412,
      'The object has been changed since the version that If-Match names.',
      etag === undefined ? {} : { ETag: etag },
    ),
  tooLarge: ({ limit }) => detail(413, `The body of a request may have at most ${limit} bytes.`),
  keyReused: (reason) => detail(422, reason.detail),
  unsupportedMediaType: ({ mediaType }) => detail(415, `Unsupported media type "${mediaType}" in request.`),
  throttled: ({ retryAfterSeconds }) =>
    detail(429, `Too many requests. Try again in ${retryAfterSeconds} seconds.`, {
      'Retry-After': String(retryAfterSeconds),
    }),
  unavailable: (reason) => detail(503, reason.detail, { 'Retry-After': '5' }),
  storageFull: (reason) => detail(507, reason.detail),
}

/** How an API version shows messages about values; `list`: those of a list of objects. */
type ErrorForm = (messages: Messages, list: ListErrors | undefined) => unknown

/** Key of messages about an object as a whole, as checks of the API use it; version 4.7 has one key for all of them. */
const OF_OBJECT = 'non_field_errors'
const OF_ALL = '__all__'

const ERROR_FORMS: Readonly<Record<ApiVersion, ErrorForm>> = {
  '4.6': (messages) => messages,
  '4.7': (messages, list) =>
    list
      ? { ...list, errors: list.errors?.map((entry) => ({ ...entry, errors: withOneKey(entry.errors) })) }
      : withOneKey(messages),
}

function withOneKey(messages: Messages): Messages {
  if (typeof messages === 'string') return messages
  if (Array.isArray(messages)) return messages.map(withOneKey)
  const entries = Object.entries(messages).map(([key, value]) => [key, withOneKey(value)] as const)
  const { [OF_OBJECT]: ofObject, ...byField } = Object.fromEntries(entries)
  if (ofObject === undefined) return byField
  const ofAll = byField[OF_ALL]
  return { ...byField, [OF_ALL]: ofAll === undefined ? ofObject : [ofAll, ofObject].flat() }
}

/**
 * Response to an error in a version of the API; undefined for internal errors, which are logged. Pages read the older
 * form.
 */
export function errorResponse(error: unknown, version: ApiVersion = '4.6'): WholeResponse | undefined {
  if (error instanceof ApiError) {
    const versioned = versionedResponse(error, version)
    if (versioned) return versioned
    // The table has a row for each kind, typed by the reason of that kind.
    return (RESPONSES[error.reason.kind] as (reason: Reason) => WholeResponse)(error.reason)
  }
  if (error instanceof StatementFailed) return statementErrorResponse(error)
  return undefined
}

/** The response to an error that the versions of the API show differently; undefined for all others. */
export function versionedResponse(error: unknown, version: ApiVersion): WholeResponse | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { reason } = error
  const form = ERROR_FORMS[version]
  if (reason.kind === 'invalid') return jsonResponse(400, form(reason.messages, reason.list))
  return reason.kind === 'inUse' && reason.list
    ? jsonResponse(409, form({ detail: reason.detail }, reason.list))
    : undefined
}

/** Response to a statement that the database could not execute with the client's values or within the time limit. */
function statementErrorResponse({ code }: StatementFailed): WholeResponse | undefined {
  if (code === '57014') return detail(503, 'The request took too long and was cancelled.')
  // PostgreSQL's disk_full.
  if (code === '53100') {
    return detail(507, 'The disk with the data is full, so nothing can be written.')
  }
  // Serialisation failure and deadlock: another transaction won, so the client may retry.
  if (code.startsWith('40')) {
    return detail(409, 'Another request changed the same objects. Please try again.')
  }
  const problem = problemOfValues(code)
  return problem === undefined ? undefined : detail(400, problem)
}
