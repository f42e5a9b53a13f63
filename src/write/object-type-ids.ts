import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { WriteContext } from './context.ts'

const MODEL = 'core.objecttype'

/** Numbers of object types by name, for the few places that show numbers. */
export async function objectTypeIds({
  service,
  transaction,
}: WriteContext): Promise<ReadonlyMap<string, number>> {
  if (!service.registry.models.has(MODEL)) return new Map()
  return await service.memory.get('numbers of object types', [MODEL], async () => {
    const rows = await transaction.query<{ id: number; name: string }>(
      sql`select id, app_label || '.' || model as name from ${table('core.objecttype')}`,
    )
    return new Map(rows.map(({ id, name }) => [name, id]))
  })
}
