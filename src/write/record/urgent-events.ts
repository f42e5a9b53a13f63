import type { Transaction } from '../../db/database.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Registry } from '../../schema/registry.ts'

const watchersOf = oncePer((_registry: Registry) => new Set<() => void>())

/** The part of the service by which both sides find each other. */
interface OfService {
  readonly registry: Registry
}

/**
 * To be called with a transaction that stores events on which rules act: they are to be acted upon soon, while other events may wait until
 * more have gathered.
 */
export function hurryEvents({ registry }: OfService, transaction: Transaction): void {
  transaction.afterCommit(() => {
    for (const notify of watchersOf(registry)) notify()
  })
}

/** Calls `notify` whenever a transaction of this process has stored such events. */
export function watchUrgentEvents({ registry }: OfService, notify: () => void): void {
  watchersOf(registry).add(notify)
}
