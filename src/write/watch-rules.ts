import type { Transaction } from '../db/database.ts'
import { watchTables } from '../db/watched-tables.ts'
import { tablesOf } from '../read/rules/affected-objects.ts'
import { type CompiledRule, compileRule, enabledRules } from '../read/rules/compile-rule.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import type { WriteContext } from './context.ts'

/** The tables whose changes may affect what the rules say. */
export const tablesOfRules = (rules: readonly CompiledRule[]): ReadonlySet<string> =>
  new Set(rules.flatMap(({ reached, opaque }) => [...tablesOf(reached), ...opaque]))

/** The enabled rules that can be evaluated, with the models of the service and in the state of the transaction. */
async function usableRules(
  { registry }: Pick<Service, 'registry'>,
  transaction: Transaction,
): Promise<readonly CompiledRule[]> {
  const stored = await enabledRules(transaction)
  const compiled = await Promise.all(stored.map((rule) => compileRule({ registry, database: transaction }, rule)))
  return compiled.flatMap((rule) => ('problem' in rule ? [] : [rule]))
}

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
  await watchTables(transaction, service.registry, tablesOfRules(await usableRules(service, transaction)))
}
