import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { Transaction } from '../database.ts'
import { StatementFailed } from '../failures.ts'

/** True if the database can search for substrings with an index: its extension pg_trgm is installed. */
export async function hasTrigrams(queryable: Queryable): Promise<boolean> {
  const rows = await queryable.queryArrays(sql`select from pg_extension where extname = 'pg_trgm'`)
  return rows.length > 0
}

/** Tries to install pg_trgm; false if the server lacks it or does not allow it. */
export async function enableTrigrams(transaction: Transaction): Promise<boolean> {
  if (await hasTrigrams(transaction)) return true
  const available = await transaction.queryArrays(sql`select from pg_available_extensions where name = 'pg_trgm'`)
  if (available.length === 0) return false
  try {
    await transaction.savepoint(() => transaction.script('create extension pg_trgm'))
    return true
  } catch (error) {
    if (error instanceof StatementFailed) return false
    throw error
  }
}
