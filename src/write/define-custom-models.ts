import type { Transaction } from '../db/database.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import type { WriteContext } from './context.ts'

/** Models whose rows declare other models, or parts of them. */
export const DEFINING: ReadonlySet<string> = new Set([
  SYSTEM.computedField,
  SYSTEM.customObjectType,
  SYSTEM.customObjectField,
  SYSTEM.customFieldChoiceSet,
  SYSTEM.pack,
])

/** Number of statements that had changed definitions when the models of a transaction were last defined. */
const defined = new WeakMap<Transaction, number>()

/**
 * Brings the tables in line with the custom models if the transaction has changed them, and returns the service
 * with their models; undefined if nothing has changed since the last call. Branches share the types of main.
 */
export async function defineCustomModels({
  service,
  transaction,
}: Pick<WriteContext, 'service' | 'transaction'>): Promise<Service | undefined> {
  const { statements } = transaction.uncommitted
  const count = [...DEFINING].reduce((sum, name) => sum + (statements.get(name) ?? 0), 0)
  if (count === (defined.get(transaction) ?? 0) || service.branch !== undefined) return undefined
  defined.set(transaction, count)
  return await service.define?.(transaction)
}
