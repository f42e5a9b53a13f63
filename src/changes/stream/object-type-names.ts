import { DEFINITIONS_CACHING } from '../../db/cache/cache.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Names of object types by id: `dcim.site`. */
export const objectTypeNames = ({
  cache,
  database,
}: Pick<Service, 'cache' | 'database'>): Promise<ReadonlyMap<number, string>> =>
  cache.get(
    'names of object types by id',
    async () => {
      const rows = await database.query<{ id: number; name: string }>(
        sql`select id, app_label || '.' || model as name from ${table(SYSTEM.objectType)}`,
      )
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    DEFINITIONS_CACHING,
  )
