import type { Transaction } from '../db/database.ts'
import { lockWatching, watchTables } from '../db/watched-tables.ts'
import { tablesOfRules } from '../read/rules/affected-objects.ts'
import { usableRules } from '../read/rules/compile-rule.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { WriteContext } from './context.ts'

/** Number of statements that had changed rules when the tables were last watched for a transaction. */
const watched = new WeakMap<Transaction, number>()

/**
 * Watches the tables that rules read, if the transaction has changed rules: what others change after its commit is then
 * noted. Waits for transactions that write these tables.
 */
export async function watchRules({
  service,
  transaction,
}: Pick<WriteContext, 'service' | 'transaction'>): Promise<void> {
  const count = transaction.uncommitted.statements.get(SYSTEM.rule) ?? 0
  if (count === (watched.get(transaction) ?? 0) || service.branch !== undefined) return
  watched.set(transaction, count)
  const { registry } = service
  await lockWatching(transaction)
  await watchTables(transaction, registry, tablesOfRules(await usableRules({ registry, database: transaction })))
}
