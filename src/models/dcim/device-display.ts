import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/**
 * Unnamed devices are common; each step falls back to the next best thing that people recognise:
 * the name, the place in the virtual chassis, the make and model.
 */
export const displayOfDevice = (column: ColumnOf): Sql => sql`coalesce(
  coalesce(
    nullif(${column('name')}, ''),
    ${column('virtual_chassis.name')} || ':' || ${column('vc_position')}
  ) || coalesce(' (' || nullif(${column('asset_tag')}, '') || ')', ''),
  ${column('device_type.manufacturer.name')} || ' ' || ${column('device_type.model')}
    || ' (' || coalesce(nullif(${column('asset_tag')}, ''), ${column('id')}::text) || ')'
)`
