import { volatile } from '../sql/fragment.ts'
import type { Database, Transaction } from './database.ts'

/** From now on statements of the transaction may take any time: those that read or index whole tables need minutes for millions of rows. */
export async function liftTimeLimit(transaction: Transaction): Promise<void> {
  await transaction.query(volatile`select set_config('statement_timeout', '0', true)`)
}

/** Collects the planner's statistics of all tables, which the embedded database never does by itself. */
export const collectStatistics = (database: Database): Promise<void> =>
  database.transaction(async (transaction) => {
    await liftTimeLimit(transaction)
    await transaction.script('analyze')
  })
