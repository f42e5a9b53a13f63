import { applyRowSecurity } from '../query/row-security.ts'
import type { Sql } from '../sql/fragment.ts'
import type { WriteContext } from './context.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** What a question for values that others have has found, as rows joined by commas. */
export interface UniqueConflicts {
  readonly all: ReadonlySet<string>
  /** Those that an object has which the user may see: only of them may a refusal tell. */
  readonly disclosable: ReadonlySet<string>
}

/**
 * Asks which values others have, and where some do, which of them the user may know of; unless the write takes it for
 * granted that they are free.
 */
export async function findUniqueConflicts(
  context: WriteContext,
  statement: Sql,
): Promise<UniqueConflicts> {
  if (context.assumptions) {
    context.assumptions.add(statement)
    return { all: NOTHING, disclosable: NOTHING }
  }
  const ask = async (wanted: Sql): Promise<ReadonlySet<string>> =>
    new Set((await context.transaction.queryArrays(wanted)).map((row) => row.join()))
  const all = await ask(statement)
  const seen = all.size === 0 ? statement : applyRowSecurity(context.security, statement)
  // The same statement: nothing is hidden from the user, or there is nothing to tell.
  return { all, disclosable: seen === statement ? all : await ask(seen) }
}
