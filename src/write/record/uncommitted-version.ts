import type { Transaction } from '../../db/database.ts'
import { RECORDS } from '../save/inserted.ts'

/** Number that grows with each statement of a transaction that changes rows which another object may show. */
export function uncommittedVersion({ uncommitted }: Pick<Transaction, 'uncommitted'>): number {
  let version = 0
  for (const [model, statements] of uncommitted.statements) {
    if (!RECORDS.has(model)) version += statements
  }
  return version
}
