import { vi } from 'vitest'
import type { Service } from '../../src/service.ts'
import type { Sql } from '../../src/sql/fragment.ts'

/** Statements that read for a request without anything in the cache. */
export async function statementsOf(
  { cache, database }: Service,
  request: () => Promise<unknown>,
): Promise<Sql[]> {
  cache.clear()
  const spies = [vi.spyOn(database, 'query'), vi.spyOn(database, 'queryArrays')]
  try {
    await request()
    return spies.flatMap(({ mock }) => mock.calls.map(([statement]) => statement))
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
