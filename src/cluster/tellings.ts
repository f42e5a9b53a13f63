import type { ToWorker } from './messages.ts'

/** A worker, as far as news concern it. */
export interface Hearer {
  send(message: ToWorker): void
}

interface Telling<H> {
  readonly teller: H
  /** Number under which the teller knows it. */
  readonly number: number
  readonly missing: Set<H>
}

/**
 * News on their way from the worker that committed a change to all others. The teller learns when the
 * last of them has forgotten; only then does it answer its client, who may ask any worker next.
 */
export class Tellings<H extends Hearer> {
  readonly #hearers = new Set<H>()
  readonly #open = new Map<number, Telling<H>>()
  #next = 0

  /** From now on the worker is told. */
  add(hearer: H): void {
    this.#hearers.add(hearer)
  }

  /** The worker is gone, and with it what it remembered: nobody waits for it any more. */
  remove(hearer: H): void {
    this.#hearers.delete(hearer)
    for (const id of this.#open.keys()) this.settle(hearer, id)
  }

  tell(teller: H, number: number, models: readonly string[]): void {
    const others = [...this.#hearers].filter((hearer) => hearer !== teller)
    const id = this.#next++
    this.#open.set(id, { teller, number, missing: new Set(others) })
    for (const other of others) other.send({ kind: 'forget', telling: id, models })
    this.#close(id)
  }

  /** The worker has forgotten what the telling said. */
  settle(hearer: H, id: number): void {
    this.#open.get(id)?.missing.delete(hearer)
    this.#close(id)
  }

  #close(id: number): void {
    const telling = this.#open.get(id)
    if (!telling || telling.missing.size > 0) return
    this.#open.delete(id)
    const { teller, number } = telling
    if (this.#hearers.has(teller)) teller.send({ kind: 'settled', telling: number })
  }
}
