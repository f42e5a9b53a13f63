import { volatile } from '../sql/fragment.ts'
import type { Transaction } from './database.ts'

/**
 * Lifts the time limit for statements of the transaction: those that read or index whole tables need minutes for
 * millions of rows.
 */
export async function liftTimeLimit(transaction: Transaction): Promise<void> {
  await transaction.query(volatile`select set_config('statement_timeout', '0', true)`)
}
