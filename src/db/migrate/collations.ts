import { sql } from '../../sql/fragment.ts'
import type { Transaction } from '../database.ts'

/** First PostgreSQL version with a built-in Unicode case mapping, independent of the system's locales. */
const BUILTIN_SINCE = 17

/**
 * Creates the collations of the tables. `natural_sort` sorts numbers within names by value (eth2 before eth10).
 * `case_fold` maps each character to at most one other (ß stays ß), in every script; servers without the built-in
 * provider use ICU, which maps ß to SS. The old spelling of und-u-kn-true is that of existing databases.
 */
export async function createCollations(transaction: Transaction): Promise<void> {
  const [row] = await transaction.queryArrays(sql`select current_setting('server_version_num')::int / 10000`)
  const folding =
    Number(row?.[0]) >= BUILTIN_SINCE ? `(provider = builtin, locale = 'C.UTF-8')` : `(provider = icu, locale = 'und')`
  await transaction.script(`
    create collation if not exists natural_sort (provider = icu, locale = 'und@colNumeric=yes');
    create collation if not exists case_fold ${folding}`)
}
