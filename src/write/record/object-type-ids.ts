import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { cachedDefinitions } from '../cached.ts'
import type { WriteContext } from '../context.ts'

/** Ids of object types by name, for the few places that show ids. */
export async function objectTypeIds(context: WriteContext): Promise<ReadonlyMap<string, number>> {
  const { service, transaction } = context
  if (!service.registry.models.has(SYSTEM.objectType)) return new Map()
  return await cachedDefinitions(context, 'numbers of object types', async () => {
    const rows = await transaction.query<{ id: number; name: string }>(
      sql`select id, app_label || '.' || model as name from ${table(SYSTEM.objectType)}`,
    )
    return new Map(rows.map(({ id, name }) => [name, id]))
  })
}
