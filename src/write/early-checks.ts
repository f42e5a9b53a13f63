import { foreignKeysOf } from '../schema/constraint-names.ts'
import type { Model } from '../schema/registry.ts'
import { identifier, join, sql } from '../sql/fragment.ts'
import type { WriteContext } from './context.ts'

/** The checks of fewer rows at commit take no noticeable time. */
const MANY_ROWS = 1_000

/**
 * Checks the references of inserted rows right after the insert instead of at commit: the server does so while its
 * response is read here and change records are prepared.
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
