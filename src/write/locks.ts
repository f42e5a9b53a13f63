import type { Model } from '../schema/registry.ts'
import { sql } from '../sql/fragment.ts'
import type { WriteContext } from './context.ts'

/**
 * Takes the model's lock until the end of the transaction, where it has one: writes to a tree go one
 * after the other (two moves at once could make a cycle), and so do those of models that name a lock.
 */
export async function takeLock(
  { transaction }: WriteContext,
  { definition, name }: Model,
): Promise<void> {
  const lock = definition.lock ?? (definition.tree ? name : undefined)
  if (lock === undefined) return
  await transaction.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`cadastre ${lock}`}, 0))`,
  )
}
