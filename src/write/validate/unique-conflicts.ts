import { applyRowSecurity } from '../../read/query/row-security.ts'
import type { Sql } from '../../sql/fragment.ts'
import type { WriteContext } from '../context.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Conflicting values that a query has found, as rows joined by commas. */
interface UniqueConflicts {
  readonly all: ReadonlySet<string>
  /** Conflicts with objects that the user may view: only these may be reported. */
  readonly disclosable: ReadonlySet<string>
}

/**
 * Finds values that other objects have and, if there are any, those that the user may view; finds nothing if the write
 * assumes that there are none.
 */
export async function findUniqueConflicts(context: WriteContext, statement: Sql): Promise<UniqueConflicts> {
  if (context.assumptions) {
    context.assumptions.add(statement)
    return { all: NOTHING, disclosable: NOTHING }
  }
  const ask = async (query: Sql): Promise<ReadonlySet<string>> =>
    new Set((await context.transaction.queryArrays(query)).map((row) => row.join()))
  const all = await ask(statement)
  const seen = all.size === 0 ? statement : applyRowSecurity(context.security, statement)
  // The statements are equal: nothing is hidden from the user, or nothing was found.
  return { all, disclosable: seen === statement ? all : await ask(seen) }
}
