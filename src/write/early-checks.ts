import { foreignKeysOf } from '../schema/constraint-names.ts'
import type { Model } from '../schema/registry.ts'
import { identifier, join, sql } from '../sql/fragment.ts'
import type { WriteContext } from './context.ts'

/** Fewer rows are checked at commit in no time. */
const MANY_ROWS = 1_000

/**
 * Has the references of rows that are being inserted checked next, not at commit: the server does that while what it
 * has answered is read here, and change records are made of it.
 */
export function checkReferencesEarly(
  { transaction }: WriteContext,
  model: Model,
  rows: readonly unknown[],
): void {
  if (rows.length <= MANY_ROWS) return
  const names = [...foreignKeysOf(model).keys()].map((name) => identifier(name))
  if (names.length === 0) return
  transaction.send(sql`set constraints ${join(names)} immediate`)
  transaction.send(sql`set constraints ${join(names)} deferred`)
}
