import { randomUUID } from 'node:crypto'
import type { Settings } from '../../config/settings.ts'
import { displayOf } from '../../read/query/display.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import { type EnqueuedJob, enqueue } from '../jobs/enqueue.ts'
import { type JobContext, JobFailed, type JobKind } from '../jobs/job-kind.ts'
import { MailFailure, type MailServer, mailServerOf } from './mail-server.ts'
import { Digest, type EventContent } from './message-text.ts'
import { type Recipient, recipientsOf, visibleEvents } from './recipients.ts'
import { type RecordedEvent, recordedEvents, recordedText } from './recorded-event.ts'

/** Name of the kind of job that sends e-mails. */
const KIND = 'email'

/** Seconds until the next attempt, after each failed one. */
const RETRY_DELAYS = [60, 300, 1_800, 7_200]

/** Seconds that an e-mail about several events waits, so that the engine can add later events of the same request. */
const DIGEST_DELAY = 5

/** Number of events loaded at a time. */
const EVENTS_AT_ONCE = 500

/** An e-mail about the events of a request. */
interface EventEmail {
  /** Ids of the events. */
  readonly events: readonly number[]
  /** Id of the request; null for events of jobs. */
  readonly request: string | null
  /** Id of the notification group. */
  readonly group: number
  /** Name of the rule. */
  readonly rule: string
}

/** Arguments of a run, as the job's parameters. */
interface Parameters extends EventEmail {
  /** UUID of the e-mail, the same for all attempts. */
  readonly id: string
  /** Attempts before this one. */
  readonly failures: number
  /** Ids of the remaining recipients; null: all. */
  readonly left: readonly number[] | null
}

/**
 * Adds a job that sends an e-mail to the group, within the transaction, or adds the events to the job of the same
 * request and rule that has not started.
 */
export async function enqueueEmail(
  transaction: Queryable,
  service: Pick<Service, 'clock' | 'settings'>,
  { events, request, group, rule }: EventEmail,
): Promise<void> {
  if (request !== null && (await addToWaiting(transaction, { events, request, group, rule }))) return
  const parameters = { events, request, group, rule, id: randomUUID(), failures: 0, left: null }
  const time = new Date(service.clock.now() + DIGEST_DELAY * 1_000).toISOString()
  await enqueueAttempt(transaction, service, parameters, events.length > 1 ? time : undefined)
}

/** Whether there was a job that has not started. */
async function addToWaiting(transaction: Queryable, { events, request, group, rule }: EventEmail): Promise<boolean> {
  const [waiting] = await transaction.query<{ id: number; parameters: string }>(sql`
    select id, parameters::text as parameters from ${table(SYSTEM.jobTask)}
    where kind = ${KIND} and state in ('queued', 'scheduled') and parameters->>'request' = ${request}::text
      and parameters->>'group' = ${String(group)}::text and parameters->>'rule' = ${rule}::text
      and parameters->>'failures' = '0'
    order by id limit 1 for update skip locked`)
  if (!waiting) return false
  const before = JSON.parse(waiting.parameters) as Parameters // written by enqueueAttempt
  const parameters = { ...before, events: [...before.events, ...events] }
  await transaction.execute(sql`
    ${updateTable(SYSTEM.jobTask)} set parameters = ${JSON.stringify(parameters)}::json where id = ${waiting.id}::bigint`)
  return true
}

const enqueueAttempt = (
  queryable: Queryable,
  service: Pick<Service, 'clock' | 'settings'>,
  parameters: Parameters,
  scheduledAt: string | undefined,
): Promise<EnqueuedJob> =>
  enqueue(queryable, service, {
    kind: KIND,
    name: `E-mail: ${parameters.rule}`,
    user: 'service',
    // A slow or unreachable mail server must not delay other jobs.
    queue: 'low',
    parameters: { ...parameters },
    scheduledAt,
  })

/** Jobs that send the e-mails of event rules. Throws ConfigurationError for settings that contradict each other. */
export function emailJob(settings: Settings): JobKind {
  const server = mailServerOf(settings)
  return {
    name: KIND,
    run: async (context) => {
      if (!server) throw new JobFailed('No e-mail can be sent, because EMAIL_SERVER is not set.')
      await sendToGroup(context, server, parametersOf(context.job.parameters))
    },
  }
}

function parametersOf(value: Json): Parameters {
  if (!isJsonObject(value)) throw new Error('The job of the e-mail is incomplete')
  return value as unknown as Parameters // written by enqueueAttempt
}

async function sendToGroup(context: JobContext, server: MailServer, parameters: Parameters): Promise<void> {
  const { service, log } = context
  const { left } = parameters
  const members = (await recipientsOf(service, parameters.group)).filter(
    ({ user }) => left === null || left.includes(user.id),
  )
  const digests = new Map(members.map((member) => [member, new Digest(parameters.rule)]))
  let eventCount = 0
  for (let start = 0; start < parameters.events.length; start += EVENTS_AT_ONCE) {
    context.signal.throwIfAborted()
    const ids = parameters.events.slice(start, start + EVENTS_AT_ONCE)
    const events = await recordedEvents(service.database, ids)
    eventCount += events.length
    const contents = new Map<RecordedEvent, EventContent>()
    for (const [{ user }, digest] of digests) {
      for (const event of await visibleEvents(service, user, events)) {
        const content = contents.get(event) ?? (await contentOf(service, event))
        contents.set(event, content)
        digest.add(event, content)
      }
    }
  }
  if (eventCount === 0) throw new JobFailed('The event has been deleted.')
  const recipients = [...digests].filter(([, digest]) => digest.count > 0)
  const outcome = await sendToEach(context, recipients, ([{ user, email }, digest]) =>
    server.send({ ...digest.message, id: `${parameters.id}.${user.id}`, to: email }),
  )
  log.info(`Sent ${outcome.sent} of ${recipients.length} messages.`)
  if (outcome.open.length > 0) await retry(context, parameters, outcome.open)
  if (outcome.failure !== undefined) throw new JobFailed(`${outcome.failure}.`)
}

/** The outcome of the messages of a run. */
interface Outcome {
  sent: number
  /** Ids of the users for whom another attempt may succeed. */
  open: number[]
  /** The first failure. */
  failure: string | undefined
}

type Addressed = readonly [Recipient, Digest]

/** Sends one message at a time; after a failure of the server itself, the others wait for the next attempt. */
async function sendToEach(
  { signal, log }: JobContext,
  recipients: readonly Addressed[],
  send: (recipient: Addressed) => Promise<void>,
): Promise<Outcome> {
  const outcome: Outcome = { sent: 0, open: [], failure: undefined }
  for (const [index, recipient] of recipients.entries()) {
    signal.throwIfAborted()
    try {
      await send(recipient)
      outcome.sent += 1
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      outcome.failure ??= error.message
      const [{ user }] = recipient
      log.failure(`The message to user ${user.id} was not sent: ${error.message}.`)
      if (error.scope === 'message') outcome.open.push(user.id)
      if (error.scope === 'server') {
        outcome.open.push(
          ...recipients.slice(index).map(
            ([
              {
                user: { id },
              },
            ]) => id,
          ),
        )
        break
      }
    }
  }
  return outcome
}

/** Schedules another attempt for these users, unless the maximum has been reached. */
async function retry(
  { service, log }: JobContext,
  parameters: Parameters,
  recipients: readonly number[],
): Promise<void> {
  const delay = RETRY_DELAYS[parameters.failures]
  if (delay === undefined) {
    log.failure('This was the last attempt.')
    return
  }
  const time = new Date(service.clock.now() + delay * 1_000).toISOString()
  const next = { ...parameters, left: recipients, failures: parameters.failures + 1 }
  await service.database.transaction((transaction) => enqueueAttempt(transaction, service, next, time))
  log.info(`The next attempt follows at ${time}.`)
}

async function contentOf({ registry, database }: Service, event: RecordedEvent): Promise<EventContent> {
  const model = registry.models.get(event.objectType)
  const objectType = model?.definition.labels[0] ?? event.objectType
  const recorded = event.event.startsWith('job_') ? undefined : recordedText(event, 'display')
  if (recorded !== undefined || !model) return { objectType, display: recorded ?? '' }
  const [row] = await database.query<{ display: string }>(sql`
    select ${displayOf(model, sql`t`)} as display from ${table(model)} t where t.id = ${event.objectId}::bigint`)
  return { objectType, display: row?.display ?? '' }
}
