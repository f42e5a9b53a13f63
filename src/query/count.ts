import type { Model } from '../schema/registry.ts'
import { countStatement, type Selection } from './page.ts'
import type { Service } from './service.ts'

/** Number of rows of the selection. That of a whole table is remembered until the table changes. */
export async function countRows(
  service: Service,
  model: Model,
  selection: Selection,
): Promise<number> {
  const count = async (): Promise<number> => {
    const [row] = await service.database.query<{ count: number }>(countStatement(model, selection))
    return row?.count ?? 0
  }
  if (selection.where || selection.sight.access(model) !== 'all') return count()
  return service.memory.get(`count ${model.name}`, [model.name], count)
}
