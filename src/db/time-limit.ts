import { volatile } from '../sql/fragment.ts'
import type { Transaction } from './database.ts'
import { StatementFailed } from './failures.ts'

/**
 * Lifts the time limit for statements of the transaction: those that read or index whole tables need minutes for
 * millions of rows.
 */
export async function liftTimeLimit(transaction: Transaction): Promise<void> {
  await transaction.query(volatile`select set_config('statement_timeout', '0', true)`)
}

/** Limits the time of each further statement of the transaction. */
export async function limitTime(transaction: Transaction, milliseconds: number): Promise<void> {
  await transaction.query(volatile`select set_config('statement_timeout', ${String(milliseconds)}, true)`)
}

/** Whether a statement was cancelled because it reached the time limit. */
export const isTimeout = (error: unknown): boolean => error instanceof StatementFailed && error.code === '57014'
