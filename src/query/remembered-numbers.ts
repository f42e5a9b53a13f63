import type { Service } from '../service.ts'
import type { Sql } from '../sql/fragment.ts'
import { encode } from '../storage/encode.ts'
import { keptOf } from './kept.ts'

/** What an entry takes besides its key and its numbers, about. */
const ENTRY_BYTES = 200

const numbersOf = keptOf<readonly number[]>('numbers')

/**
 * The first column of what the statement brings: ids, or a count. Remembered by statement and values until a
 * table changes that it names, for whoever asks for the same rows in another form, or for the next page.
 */
export async function rememberedNumbers(
  service: Service,
  statement: Sql,
): Promise<readonly number[]> {
  const key = JSON.stringify([statement.text, statement.values.map(encode)])
  const ask = async (): Promise<readonly number[]> => {
    const rows = await service.database.queryArrays(statement)
    return rows.map(([number]) => Number(number))
  }
  const bytesOf = (numbers: readonly number[]): number =>
    8 * numbers.length + 2 * key.length + ENTRY_BYTES
  return await numbersOf(service).get(key, ask, bytesOf)
}
