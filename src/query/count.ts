import type { Model } from '../schema/registry.ts'
import { text } from '../sql/fragment.ts'
import { encode } from '../storage/encode.ts'
import { Kept } from './kept.ts'
import { countStatement, type Selection } from './page.ts'
import type { Service } from './service.ts'

/** Share of the memory of answers: some thousands of counts. */
const SHARE = 1 / 16
/** What a count takes besides its key, about. */
const ENTRY_BYTES = 200

const memories = new WeakMap<Service, Kept<number>>()

/**
 * Number of rows of the selection: exact, and remembered until a table changes that it was counted from, so
 * that whoever goes through the pages of a long list has it counted once.
 */
export async function countRows(
  service: Service,
  model: Model,
  selection: Selection,
): Promise<number> {
  const statement = countStatement(model, selection)
  const key = JSON.stringify([text(statement), statement.values.map(encode)])
  const count = async (): Promise<number> => {
    const [row] = await service.database.query<{ count: number }>(statement)
    return row?.count ?? 0
  }
  return await memoryOf(service).get(key, count, () => 2 * key.length + ENTRY_BYTES)
}

function memoryOf(service: Service): Kept<number> {
  const known = memories.get(service)
  if (known) return known
  const memory = new Kept<number>(service, service.settings.answerMemorySize * SHARE)
  memories.set(service, memory)
  return memory
}
