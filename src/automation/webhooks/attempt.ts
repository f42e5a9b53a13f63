import { randomUUID } from 'node:crypto'
import { currentTimestamp } from '../../base/clock.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import type { JsonObject } from '../../schema/json.ts'
import type { Service } from '../../service.ts'
import { storableJson } from '../jobs/storable.ts'
import { render } from '../templates/render.ts'
import { AttemptFailure } from './attempt-failure.ts'
import { type AttemptResult, type ClaimedDelivery, type SentEvent, sentWebhook } from './delivery-queue.ts'
import { createWebhookClient, type WebhookClient, type WebhookResponse } from './webhook-client.ts'
import { type DeliveredEvent, type PreparedRequest, prepareRequest, type RenderText } from './webhook-request.ts'

/** Sends a delivery once; the result determines the next step. Undefined if `signal` was aborted meanwhile. */
export async function attemptDelivery(
  service: Service,
  client: WebhookClient,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  const sent = await sendOnce(service, client, delivery, signal)
  return (
    sent && {
      ...fateOf(service, delivery, sent.response),
      id: delivery.id,
      responseStatus: sent.response?.status ?? null,
      attempt: storableJson(sent.attempt),
    }
  )
}

/** An attempt as the page of a delivery lists it. */
interface Attempt extends JsonObject {
  readonly time: string
  readonly request: JsonObject | null
  readonly status: number | null
  readonly response: string | null
  readonly error: string | null
  /** Milliseconds. */
  readonly duration: number
}

/** Sends an event to a webhook. Undefined if `signal` was aborted meanwhile. */
async function sendOnce(
  service: Service,
  client: WebhookClient,
  delivery: SentEvent,
  signal: AbortSignal,
): Promise<{ readonly attempt: Attempt; readonly response: WebhookResponse | undefined } | undefined> {
  const began = performance.now()
  const time = currentTimestamp(service.clock)
  const { webhook, deliveryId } = delivery
  let request: PreparedRequest | undefined
  let outcome: WebhookResponse | string
  try {
    request = await prepareRequest(webhook, delivery, deliveryId, {
      version: service.settings.apiVersion,
      render: rendererOf(service, signal),
    })
    const options = {
      ...webhook,
      timeout: webhook.timeout === null ? service.settings.webhookTimeout : webhook.timeout * 1_000,
    }
    outcome = await client.send(request, options, signal)
  } catch (error) {
    if (signal.aborted) return undefined
    outcome = reasonOf(error)
  }
  const response = typeof outcome === 'string' ? undefined : outcome
  const attempt = {
    time,
    request: request ? shownRequest(request) : null,
    status: response?.status ?? null,
    response: response?.text ?? null,
    error: typeof outcome === 'string' ? outcome : null,
    duration: Math.round(performance.now() - began),
  }
  return { attempt, response }
}

/**
 * Sends an event to the webhook at once, and only once, without a delivery. Undefined if there is no such webhook, or
 * `signal` was aborted meanwhile.
 */
export async function sendTest(
  service: Service,
  webhookId: number,
  event: DeliveredEvent,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const webhook = await sentWebhook(service.database, webhookId)
  if (!webhook) return undefined
  const client = createWebhookClient(service.settings)
  try {
    return (await sendOnce(service, client, { ...event, webhook, deliveryId: randomUUID() }, signal))?.attempt
  } finally {
    client.close()
  }
}

const isSuccess = ({ status }: WebhookResponse): boolean => status >= 200 && status < 300

function fateOf(
  { clock, settings }: Service,
  { failures }: ClaimedDelivery,
  response: WebhookResponse | undefined,
): Pick<AttemptResult, 'status' | 'nextAttempt' | 'completed'> {
  const now = currentTimestamp(clock)
  if (response && isSuccess(response)) return { status: 'delivered', nextAttempt: null, completed: now }
  const delay = retryDelay(failures + 1, settings.webhookRetryDelay, Math.random())
  if (delay === undefined) return { status: 'dead', nextAttempt: null, completed: now }
  const nextAttempt = new Date(clock.now() + delay).toISOString()
  return { status: 'retrying', nextAttempt, completed: null }
}

const reasonOf = (error: unknown): string =>
  error instanceof AttemptFailure || error instanceof Error ? error.message : String(error)

/** Requests of users render templates too, with the same few processes. */
const rendering = limited(2)

/** Renders templates that have access only to their context. */
const rendererOf =
  (service: Service, signal: AbortSignal): RenderText =>
  async (template, context, { singleLine }) => {
    const security = { registry: service.registry, visibleRows: () => NO_ROWS }
    const result = await rendering(() => render(service, { template, context, singleLine, signal, security }))
    if ('error' in result) throw new AttemptFailure(`A template failed: ${result.error}`)
    return result.text
  }

/** The longest delay, in milliseconds. */
const DAY = 86_400_000
/** Each delay is extended by a random part of this size, so that receivers are not called by all processes at once. */
const JITTER = 0.25
/** Failed attempts after which a delivery is dead: about three days with a first delay of 10 s. */
const MOST_FAILURES = 15

/**
 * Milliseconds before the next attempt after so many failures: `first`, doubled with each failure, at most a day.
 * Undefined if there is no further attempt. `random` is from 0 to 1.
 */
export function retryDelay(failures: number, first: number, random: number): number | undefined {
  if (failures >= MOST_FAILURES) return undefined
  const delay = first * 2 ** (failures - 1)
  return Math.round(Math.min(DAY, delay * (1 + JITTER * random)))
}

/** Runs at most `most` pieces of work at a time; others wait in the order of their calls. */
export function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The next one takes over this slot.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

const HIDDEN = '********'
/** Headers and parameters whose values are secrets, by parts of their names. */
const SECRET = /auth|cookie|credential|key|pass|secret|session|signature|token/i

/**
 * The request in the form shown with attempts of a delivery: without its body, and without values that may be secrets.
 */
export function shownRequest({ url, method, headers, body }: PreparedRequest): JsonObject {
  const shownUrl = new URL(url)
  shownUrl.username = ''
  shownUrl.password = ''
  for (const name of new Set(shownUrl.searchParams.keys())) {
    if (SECRET.test(name)) shownUrl.searchParams.set(name, HIDDEN)
  }
  return {
    method,
    url: shownUrl.href,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? HIDDEN : value]),
    ),
    body_size: body.length,
  }
}
