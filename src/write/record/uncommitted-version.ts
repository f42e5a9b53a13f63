import type { Transaction } from '../../db/database.ts'
import { SYSTEM } from '../../schema/system-models.ts'

/** Models whose rows only record that other rows have changed; no other object shows them. */
export const RECORDS: ReadonlySet<string> = new Set([SYSTEM.objectChange, SYSTEM.event, SYSTEM.unindexedChange])

/** Number that grows with each statement of a transaction that changes rows which other objects may show. */
export function uncommittedVersion({ uncommitted }: Pick<Transaction, 'uncommitted'>): number {
  let version = 0
  for (const [model, statements] of uncommitted.statements) {
    if (!RECORDS.has(model)) version += statements
  }
  return version
}
