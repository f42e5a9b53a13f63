import type { JobNotifications } from '../../../automation/jobs/enqueue.ts'
import { invalid, type Messages } from '../../../base/errors.ts'
import { jobNotification } from '../../../models/core/job.ts'
import { boolean, dateTime, integer } from '../../../schema/field.ts'
import { isJsonObject, type Json, parseJson } from '../../../schema/json.ts'
import { isRefused, NOT_NULL, type Outcome, REQUIRED } from '../../../schema/outcome.ts'
import type { Registry } from '../../../schema/registry.ts'
import { parseValue } from '../../../write/parse/parse.ts'

/** The parsed body of a request to run a script. */
interface ScriptInput {
  readonly data: Json
  readonly commit: boolean
  /** ISO 8601; undefined: at once. */
  readonly scheduledAt: string | undefined
  readonly interval: number | undefined
  readonly notifications: JobNotifications | undefined
}

const COMMIT = boolean({})
const SCHEDULE = dateTime({})
const INTERVAL = integer({ range: [1, 2_147_483_647] })

/** The parsed body. Throws `invalid` with the problems by name. `now`: milliseconds since 1970. */
export function scriptInput(registry: Registry, body: unknown, now: number): ScriptInput {
  const fields = isJsonObject(body) ? body : {}
  const problems: Record<string, Messages> = {}
  const read = <T>(name: string, parse: (value: Json) => Outcome): T | undefined => {
    const outcome = parse(fields[name] ?? null)
    if (!isRefused(outcome)) return outcome.value as T // the type that `parse` accepts
    problems[name] = outcome.refused
    return undefined
  }
  const required =
    (name: string, parse: (value: Json) => Outcome) =>
    (value: Json): Outcome =>
      value === null ? { refused: [name in fields ? NOT_NULL : REQUIRED] } : parse(value)
  const nullable =
    (parse: (value: Json) => Outcome) =>
    (value: Json): Outcome =>
      value === null ? { value: undefined } : parse(value)
  const data = read<Json>(
    'data',
    required('data', (value) => ({ value: typeof value === 'string' ? parsedDocument(value) : value })),
  )
  const commit = read<boolean>(
    'commit',
    required('commit', (value) => parseValue(registry, COMMIT, value)),
  )
  const at = read<string>('schedule_at', (value) => futureTime(registry, value, now))
  const interval = read<number>(
    'interval',
    nullable((value) => parseValue(registry, INTERVAL, value)),
  )
  const notifications = read<JobNotifications>('notifications', nullable(parseNotifications))
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const scheduledAt = at ?? (interval === undefined ? undefined : new Date(now).toISOString())
  return { data: data ?? null, commit: commit === true, scheduledAt, interval, notifications }
}

/** The document in a part of a form; the text itself if it contains none. */
function parsedDocument(text: string): Json {
  try {
    return parseJson(text) as Json // a document of the client's
  } catch {
    return text
  }
}

/**
 * The time at which a job is to start, or why it is refused; null becomes undefined. `now`: milliseconds since 1970.
 */
export function futureTime(registry: Registry, value: Json, now: number): Outcome {
  if (value === null) return { value: undefined }
  const outcome = parseValue(registry, SCHEDULE, value)
  return !isRefused(outcome) && Date.parse(String(outcome.value)) <= now
    ? { refused: ['Scheduled time must be in the future.'] }
    : outcome
}

const parseNotifications = (value: Json): Outcome =>
  jobNotification.list.some((choice) => choice.value === value)
    ? { value }
    : { refused: [`"${String(value)}" is not a valid choice.`] }
