import type { Service } from '../../src/service.ts'
import type { Sql } from '../../src/sql/fragment.ts'
import { spyOnReads } from '../support/read-spies.ts'

/** Statements that read for a request without anything in the cache. */
export async function statementsOf(
  { cache, database }: Service,
  request: () => Promise<unknown>,
): Promise<Sql[]> {
  cache.clear()
  const reads = spyOnReads(database)
  try {
    await request()
    return reads.statements()
  } finally {
    reads.restore()
  }
}
