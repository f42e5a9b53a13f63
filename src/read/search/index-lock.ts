import type { Transaction } from '../../db/database.ts'
import { volatile } from '../../sql/fragment.ts'

/** Id of the advisory lock, chosen at random: only one transaction at a time writes entries. */
const LOCK = 7_268_316_022

/** Waits until no other transaction writes entries; held until the end of this transaction. */
export function lockIndex(transaction: Pick<Transaction, 'send'>): void {
  transaction.send(volatile`select pg_advisory_xact_lock(${LOCK}::bigint)`)
}
