import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { currentTimestamp } from '../../base/clock.ts'
import type { BackgroundWork } from '../../changes/background/background.ts'
import type { TurnResult } from '../../changes/background/loop.ts'
import type { Transaction } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto, table } from '../../sql/table.ts'
import { attemptDelivery } from './attempt.ts'
import { attemptCountsOf } from './attempt-counts.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  mayMakeDue,
  recordAttempts,
  releaseClaims,
  renewClaims,
} from './delivery-queue.ts'
import { createWebhookClient, type WebhookClient } from './webhook-client.ts'

/** Maximum number of simultaneous deliveries to one webhook. */
const USUAL_ROOM = 64
/** The same after a failure, until a delivery succeeds: a receiver that does not respond gets no more. */
const ROOM_AFTER_FAILURE = 1
/** Milliseconds until a claim expires, and until it is renewed. */
const LEASE = 15_000
const RENEWAL = 5_000
/** Milliseconds to wait for further attempts to end, so that they are recorded together: each commit takes time. */
const GATHERING = 20

/** Sends deliveries, as background work of one process. */
export function deliveryWorker(service: Service): BackgroundWork {
  const worker = new DeliveryWorker(service)
  return {
    name: 'webhook deliveries',
    idleMs: 2_000,
    wokenBy: [],
    watch: (wake) => worker.watch(wake),
    turn: (signal) => worker.turn(signal),
  }
}

class DeliveryWorker {
  readonly #service: Service
  readonly #client: WebhookClient
  readonly #name = randomUUID()
  /** Deliveries that are being sent, by webhook. */
  readonly #inFlight = new Map<number, Set<Promise<void>>>()
  readonly #results: AttemptResult[] = []
  /** Webhooks whose last attempt failed. */
  readonly #failing = new Set<number>()
  /** Resolves when an attempt ends or the deliveries change. */
  #news = Promise.withResolvers<void>()
  /** Resolves when no attempt is in progress any more. */
  #done = Promise.withResolvers<void>()
  #renewed = 0

  constructor(service: Service) {
    this.#service = service
    this.#client = createWebhookClient(service.settings)
    this.watch(() => this.#news.resolve())
  }

  /** Calls `notify` when there may be other deliveries to send. */
  watch(notify: () => void): void {
    this.#service.cache.log.watch([SYSTEM.webhookDelivery], (changes) => {
      if (!changes || changes.some(mayMakeDue)) notify()
    })
  }

  /**
   * Records what has been sent, claims what is due and starts sending it. While deliveries are in flight, the turn ends
   * with the first of them, or when there may be others to claim.
   */
  async turn(signal: AbortSignal): Promise<TurnResult> {
    this.#news = Promise.withResolvers<void>()
    this.#done = Promise.withResolvers<void>()
    for (const delivery of await this.#record((transaction) => this.#claim(transaction))) this.#start(delivery, signal)
    if (this.#inFlight.size === 0) return 'idle'
    await this.#waitForNews(signal)
    if (signal.aborted) await this.#stop()
    return 'again'
  }

  async #claim(transaction: Transaction): Promise<readonly ClaimedDelivery[]> {
    const { clock } = this.#service
    const occupied = new Map<number, number>()
    for (const id of this.#failing) occupied.set(id, ROOM_AFTER_FAILURE)
    for (const [id, sending] of this.#inFlight) {
      const room = this.#failing.has(id) ? ROOM_AFTER_FAILURE : USUAL_ROOM
      occupied.set(id, Math.max(0, room - sending.size))
    }
    const until = new Date(clock.now() + LEASE).toISOString()
    if (this.#inFlight.size > 0 && clock.now() - this.#renewed > RENEWAL) {
      await renewClaims(transaction, this.#name, until)
      this.#renewed = clock.now()
    }
    const room = { usual: USUAL_ROOM, others: occupied }
    return await claimDeliveries(this.#service, transaction, this.#name, until, room)
  }

  #start(delivery: ClaimedDelivery, signal: AbortSignal): void {
    const { webhookId } = delivery
    const sending = this.#inFlight.get(webhookId) ?? new Set()
    this.#inFlight.set(webhookId, sending)
    const attempt = this.#attempt(delivery, signal).finally(() => {
      sending.delete(attempt)
      if (sending.size === 0) this.#inFlight.delete(webhookId)
      this.#news.resolve()
      if (this.#inFlight.size === 0) this.#done.resolve()
    })
    sending.add(attempt)
  }

  async #attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<void> {
    const result = await attemptDelivery(this.#service, this.#client, delivery, signal)
    // Interrupted by the end of the service: the next start makes another attempt.
    if (!result) return
    this.#results.push(result)
    attemptCountsOf(this.#service)[result.status === 'retrying' ? 'failed' : result.status] += 1
    if (result.status === 'delivered') this.#failing.delete(delivery.webhookId)
    else this.#failing.add(delivery.webhookId)
  }

  /** Records the results so far in a transaction, which continues with `work`. */
  async #record<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const results = this.#results.splice(0)
    try {
      return await this.#service.database.transaction(async (transaction) => {
        if (results.length > 0) {
          const dead = await recordAttempts(transaction, results)
          if (dead.length > 0) await notifyOfDeadDeliveries(this.#service, transaction, dead)
        }
        return await work(transaction)
      })
    } catch (error) {
      // Recorded by a later turn.
      this.#results.unshift(...results)
      throw error
    }
  }

  async #waitForNews(signal: AbortSignal): Promise<void> {
    const { promise: timeout, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, RENEWAL)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
    await Promise.race([this.#news.promise, timeout])
    clearTimeout(timer)
    await Promise.race([this.#done.promise, timeout, sleep(GATHERING)])
  }

  async #stop(): Promise<void> {
    await Promise.all([...this.#inFlight.values()].flatMap((sending) => [...sending]))
    await this.#record((transaction) => releaseClaims(transaction, this.#name))
    this.#client.close()
  }
}

/** Notifies the active superusers of the webhooks whose deliveries with these ids will not be attempted again. */
async function notifyOfDeadDeliveries(
  { clock }: Pick<Service, 'clock'>,
  transaction: Queryable,
  ids: readonly number[],
): Promise<void> {
  await transaction.execute(sql`
    ${insertInto(SYSTEM.notification)} (object_type, object_id, user_id, created, event_type, object_repr)
    select distinct ${SYSTEM.webhook}::text, w.id, u.id, ${currentTimestamp(clock)}::timestamptz,
      'job_failed', left(w.name, 200)
    from ${table(SYSTEM.webhookDelivery)} d
    join ${table(SYSTEM.webhook)} w on w.id = d.webhook_id
    cross join ${table(SYSTEM.user)} u
    where d.id = any(${ids}::bigint[]) and u.is_superuser and u.is_active
    on conflict (object_type, object_id, user_id)
    do update set created = excluded.created, event_type = excluded.event_type, read = null`)
}
