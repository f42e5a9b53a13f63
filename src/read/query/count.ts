import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { cachedNumbers } from './cached-column.ts'
import { countStatement, type Selection } from './slice.ts'

/** Number of rows of the selection, exact. Counted once for all pages of a list, until something changes. */
export async function countRows(service: Service, model: Model, selection: Selection): Promise<number> {
  const [count = 0] = await cachedNumbers(service, countStatement(model, selection))
  return count
}
