import type { Database } from './database.ts'
import { liftTimeLimit } from './time-limit.ts'

/** Collects the statistics of all tables, which queries need after tables have been filled. */
export const analyseTables = (database: Pick<Database, 'transaction'>): Promise<void> =>
  database.transaction(async (transaction) => {
    await liftTimeLimit(transaction)
    await transaction.script('analyze')
  })
