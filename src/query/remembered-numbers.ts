import { type Sql, text } from '../sql/fragment.ts'
import { encode } from '../storage/encode.ts'
import { Kept } from './kept.ts'
import type { Service } from './service.ts'

/** Share of the memory of answers. */
const SHARE = 1 / 16
/** What an entry takes besides its key and its numbers, about. */
const ENTRY_BYTES = 200

const memories = new WeakMap<Service, Kept<readonly number[]>>()

/**
 * The first column of what the statement brings: ids, or a count. Remembered by statement and values until a
 * table changes that it names, for whoever asks for the same rows in another form, or for the next page.
 */
export async function rememberedNumbers(
  service: Service,
  statement: Sql,
): Promise<readonly number[]> {
  const key = JSON.stringify([text(statement), statement.values.map(encode)])
  const ask = async (): Promise<readonly number[]> => {
    const rows = await service.database.queryArrays(statement)
    return rows.map(([number]) => Number(number))
  }
  const bytesOf = (numbers: readonly number[]): number =>
    8 * numbers.length + 2 * key.length + ENTRY_BYTES
  return await memoryOf(service).get(key, ask, bytesOf)
}

function memoryOf(service: Service): Kept<readonly number[]> {
  const known = memories.get(service)
  if (known) return known
  const memory = new Kept<readonly number[]>(service, service.settings.answerMemorySize * SHARE)
  memories.set(service, memory)
  return memory
}
