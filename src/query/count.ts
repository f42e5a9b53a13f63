import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { countStatement, type Selection } from './page.ts'
import { rememberedNumbers } from './remembered-numbers.ts'

/** Number of rows of the selection, exact. Counted once for all pages of a list, until something changes. */
export async function countRows(
  service: Service,
  model: Model,
  selection: Selection,
): Promise<number> {
  const [count = 0] = await rememberedNumbers(service, countStatement(model, selection))
  return count
}
