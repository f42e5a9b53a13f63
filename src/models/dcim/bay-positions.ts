import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

/**
 * Positions of module bays from the device down to the bay itself, by the bay's id. `{module}` in a bay's position is
 * replaced by the position of the bay that contains it. NetBox 4.6.8 dcim/utils.py, get_module_bay_positions.
 */
export async function positionsOfBays(
  database: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await database.query<{ id: number; position: string }>(sql`
    select b.id, a.position from ${table('dcim.modulebay')} b
    join ${table('dcim.modulebay')} a on a.id = any(b._ancestors)
    where b.id = any(${ids}::bigint[]) order by b.id, a._level desc`)
  const positions = new Map<number, string[]>()
  for (const { id, position } of rows) {
    const list = positions.get(id) ?? []
    const below = list[0]
    list.unshift(below === undefined ? position : position.replaceAll('{module}', () => below))
    positions.set(id, list)
  }
  return positions
}
