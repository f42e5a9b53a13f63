import type { Transaction } from '../../db/database.ts'
import { volatile } from '../../sql/fragment.ts'

/** Id of the advisory lock, chosen at random: of transactions that write entries, one at a time does. */
const LOCK = 7_268_316_022

/** Waits until no other transaction writes entries; held until the end of this one. */
export function lockIndex(transaction: Pick<Transaction, 'send'>): void {
  transaction.send(volatile`select pg_advisory_xact_lock(${LOCK}::bigint)`)
}
