import type { Transaction } from '../../db/database.ts'
import { type Service, stateOfService } from '../../service.ts'

const watchersOf = stateOfService(() => new Set<() => void>())

/** Marks the transaction's events as urgent, so that the sequencer does not wait to batch them. */
export function hurryEvents(service: Pick<Service, 'registry'>, transaction: Transaction): void {
  transaction.afterCommit(() => {
    for (const notify of watchersOf(service)) notify()
  })
}

/** Calls `notify` whenever a transaction of this process has stored such events. */
export function watchUrgentEvents(service: Pick<Service, 'registry'>, notify: () => void): void {
  watchersOf(service).add(notify)
}
