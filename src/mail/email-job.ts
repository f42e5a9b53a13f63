import { randomUUID } from 'node:crypto'
import type { Settings } from '../config/settings.ts'
import { type EnqueuedJob, enqueue } from '../jobs/enqueue.ts'
import { type JobContext, JobFailed, type JobKind } from '../jobs/job-kind.ts'
import { displayOf } from '../query/display.ts'
import { isJsonObject, type Json } from '../schema/json.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import { MailFailure, type MailServer, mailServerOf } from './mail-server.ts'
import { type MessageContent, messageBody, messageSubject } from './message-text.ts'
import { type Recipient, recipientsOf } from './recipients.ts'
import { type RecordedEvent, recordedEvent, recordedText } from './recorded-event.ts'

/** Name of the kind of job that sends e-mails. */
const KIND = 'email'

/** Seconds until the next attempt, after each failed one. */
const RETRY_DELAYS = [60, 300, 1_800, 7_200]

/** An e-mail about an event. */
interface EventEmail {
  /** Id of the event. */
  readonly event: number
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
  /** Ids of the users who are still to receive the e-mail; null: all. */
  readonly left: readonly number[] | null
}

/** Adds a job that sends an e-mail to the group, as part of the transaction that `queryable` may be. */
export const enqueueEmail = (
  queryable: Queryable,
  service: Pick<Service, 'clock' | 'settings'>,
  { event, group, rule }: EventEmail,
): Promise<EnqueuedJob> =>
  enqueueAttempt(
    queryable,
    service,
    { event, group, rule, id: randomUUID(), failures: 0, left: null },
    undefined,
  )

const enqueueAttempt = (
  queryable: Queryable,
  service: Pick<Service, 'clock' | 'settings'>,
  parameters: Parameters,
  scheduledAt: string | undefined,
): Promise<EnqueuedJob> =>
  enqueue(queryable, service, {
    kind: KIND,
    name: `E-mail: ${parameters.rule}`,
    // A mail server that is slow or away must not delay other jobs.
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

async function sendToGroup(
  context: JobContext,
  server: MailServer,
  parameters: Parameters,
): Promise<void> {
  const { service, log } = context
  const event = await recordedEvent(service.database, parameters.event)
  if (!event) throw new JobFailed('The event has been deleted.')
  const members = await recipientsOf(service, parameters.group, event)
  const { left } = parameters
  const recipients = left === null ? members : members.filter(({ id }) => left.includes(id))
  const content = await contentOf(service, event, parameters.rule)
  const message = { subject: messageSubject(event, content), text: messageBody(event, content) }
  const outcome = await sendToEach(context, recipients, ({ id, email }) =>
    server.send({ ...message, id: `${parameters.id}.${id}`, to: email }),
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

/** Sends one message after the other; after a failure of the server itself the others wait for the next attempt. */
async function sendToEach(
  { signal, log }: JobContext,
  recipients: readonly Recipient[],
  send: (recipient: Recipient) => Promise<void>,
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
      log.failure(`The message to user ${recipient.id} was not sent: ${error.message}.`)
      if (error.scope === 'message') outcome.open.push(recipient.id)
      if (error.scope === 'server') {
        outcome.open.push(...recipients.slice(index).map(({ id }) => id))
        break
      }
    }
  }
  return outcome
}

/** Schedules another attempt for these users, unless there were enough. */
async function retry(
  { service, log }: JobContext,
  parameters: Parameters,
  left: readonly number[],
): Promise<void> {
  const delay = RETRY_DELAYS[parameters.failures]
  if (delay === undefined) {
    log.failure('This was the last attempt.')
    return
  }
  const time = new Date(service.clock.now() + delay * 1_000).toISOString()
  const next = { ...parameters, left, failures: parameters.failures + 1 }
  await service.database.transaction((transaction) =>
    enqueueAttempt(transaction, service, next, time),
  )
  log.info(`The next attempt follows at ${time}.`)
}

async function contentOf(
  { registry, database }: Service,
  event: RecordedEvent,
  rule: string,
): Promise<MessageContent> {
  const model = registry.models.get(event.objectType)
  const objectType = model?.definition.labels[0] ?? event.objectType
  const recorded = event.event.startsWith('object_') ? recordedText(event, 'display') : undefined
  if (recorded !== undefined || !model) return { objectType, display: recorded ?? '', rule }
  const [row] = await database.query<{ display: string }>(sql`
    select ${displayOf(model, sql`t`)} as display from ${table(model)} t where t.id = ${event.objectId}::bigint`)
  return { objectType, display: row?.display ?? '', rule }
}
