import { cachedRows, type RowValue } from '../../db/cache/cached-rows.ts'
import type { RowsById, SharedRows } from '../../schema/computed.ts'
import { oncePer } from '../../schema/once-per.ts'
import { sql } from '../../sql/fragment.ts'
import { rowsOf } from '../../sql/table.ts'
import type { ReadSource } from './read-source.ts'

/** Approximate bytes of the selected values of a row. */
const VALUE_BYTES = 200

let selections = 0
const keyOf = oncePer((_shared: SharedRows) => selections++)

/** The selected values of the rows with the ids; cached ones are not read. */
export async function readSharedRows(
  { service, database, uncommitted: without }: ReadSource,
  shared: SharedRows,
  ids: Iterable<number>,
): Promise<RowsById> {
  const { model, select } = shared
  const selection = keyOf(shared)
  const read = async (missing: readonly number[]): Promise<ReadonlyMap<number, RowValue<readonly unknown[]>>> => {
    if (missing.length === 0) return new Map()
    const rows = await database.queryArrays(sql`select t.id, ${select} from ${rowsOf(model, missing)}`)
    return new Map(rows.map(([id, ...value]) => [Number(id), { value, parts: [] }]))
  }
  return await cachedRows(service.cache, ids, {
    ...{ model, without, isEssential: true, bytes: VALUE_BYTES, read },
    keyPrefix: `shared ${selection} `,
  })
}
