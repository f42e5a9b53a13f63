import { type MockInstance, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import type { Sql } from '../../src/sql/fragment.ts'

/** The queries that were sent to a database outside of transactions. */
export interface ReadSpies {
  /** Statements so far, in no order. */
  statements(): Sql[]
  /** Empties that list. */
  clear(): void
  restore(): void
}

/** Records the queries of the database from now on. */
export function spyOnReads(database: Database): ReadSpies {
  const spies: readonly MockInstance<(statement: Sql) => unknown>[] = [
    vi.spyOn(database, 'query'),
    vi.spyOn(database, 'queryArrays'),
    vi.spyOn(database, 'queryColumn'),
  ]
  const each = (work: (spy: (typeof spies)[number]) => void) => () => spies.forEach(work)
  return {
    statements: () => spies.flatMap(({ mock }) => mock.calls.map(([statement]) => statement)),
    clear: each((spy) => spy.mockClear()),
    restore: each((spy) => spy.mockRestore()),
  }
}
