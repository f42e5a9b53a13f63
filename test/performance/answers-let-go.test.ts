import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { openPglite } from '../../src/db/pglite.ts'
import { sql } from '../../src/sql/fragment.ts'

const TURNS = 40
/** Far below what is read in those turns, and far above what a test leaves behind anyway. */
const BEARABLE = 15_000_000

it('the embedded database keeps no results after they have been read', async () => {
  const database = await openPglite(undefined)
  const read = () => database.query(sql`select i, repeat('x', 100) || i from generate_series(1, 10000) i`)
  await read()
  const before = heapInUse()

  for (let turn = 0; turn < TURNS; turn++) await read()

  expect(heapInUse() - before).toBeLessThan(BEARABLE)
  await database.close()
})

/** Bytes of objects that are in use. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
