import type { ToWorker } from './messages.ts'

/** A worker process, as a recipient of invalidation messages. */
interface InvalidationSubscriber {
  send(message: ToWorker): void
}

interface PendingChange<S> {
  readonly author: S
  /** Id of the change in the worker that made it. */
  readonly change: number
  /** Workers that have not confirmed yet. */
  readonly unconfirmed: Set<S>
}

/**
 * Sends each committed change to all other workers and waits for their confirmations. The worker that made the change
 * is notified when the last one has confirmed; only then does it respond to its client, whose next request may reach
 * any worker.
 */
export class InvalidationBroadcast<S extends InvalidationSubscriber> {
  readonly #subscribers = new Set<S>()
  readonly #pending = new Map<number, PendingChange<S>>()
  #nextId = 0

  /** From now on the worker receives invalidations. */
  add(subscriber: S): void {
    this.#subscribers.add(subscriber)
  }

  /** The worker has ended, and its cache with it: pending changes no longer wait for it. */
  remove(subscriber: S): void {
    this.#subscribers.delete(subscriber)
    for (const id of this.#pending.keys()) this.confirm(subscriber, id)
  }

  /** Sends the changes of `author` to all other workers. */
  publish(author: S, change: number, changes: readonly string[]): void {
    const recipients = [...this.#subscribers].filter((subscriber) => subscriber !== author)
    const id = this.#nextId++
    this.#pending.set(id, { author, change, unconfirmed: new Set(recipients) })
    for (const other of recipients) other.send({ kind: 'invalidate', invalidation: id, changes })
    this.#acknowledgeWhenComplete(id)
  }

  /** The worker has discarded the invalidated values. */
  confirm(subscriber: S, id: number): void {
    this.#pending.get(id)?.unconfirmed.delete(subscriber)
    this.#acknowledgeWhenComplete(id)
  }

  #acknowledgeWhenComplete(id: number): void {
    const pending = this.#pending.get(id)
    if (!pending || pending.unconfirmed.size > 0) return
    this.#pending.delete(id)
    const { author, change } = pending
    if (this.#subscribers.has(author)) author.send({ kind: 'acknowledged', change })
  }
}
