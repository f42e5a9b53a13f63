import { sql } from '../sql/fragment.ts'
import type { Transaction } from '../storage/database.ts'

/** From this version on PostgreSQL folds case by Unicode without help of the system's locales. */
const BUILTIN_SINCE = 17

/**
 * `natural_sort` puts names in the order that people expect (eth2 before eth10). `case_fold` gives each
 * character at most one counterpart (ß stays ß), in every script; servers without a provider of their
 * own use ICU, which expands ß to SS. The old spelling of ICU's locale is on purpose: the
 * embedded database's copy of ICU accepts the newer one, und-u-kn-true, and ignores it.
 */
export async function createCollations(transaction: Transaction): Promise<void> {
  const [row] = await transaction.queryArrays(
    sql`select current_setting('server_version_num')::int / 10000`,
  )
  const folding =
    Number(row?.[0]) >= BUILTIN_SINCE
      ? `(provider = builtin, locale = 'C.UTF-8')`
      : `(provider = icu, locale = 'und')`
  await transaction.script(`
    create collation if not exists natural_sort (provider = icu, locale = 'und@colNumeric=yes');
    create collation if not exists case_fold ${folding}`)
}
