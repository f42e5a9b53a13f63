import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/**
 * Display text of a device. Unnamed devices are common, so it is the first of: name, position in the virtual chassis,
 * make and model.
 */
export const displayOfDevice = (column: ColumnOf): Sql => sql`coalesce(
  coalesce(
    nullif(${column('name')}, ''),
    ${column('virtual_chassis.name')} || ':' || ${column('vc_position')}
  ) || coalesce(' (' || nullif(${column('asset_tag')}, '') || ')', ''),
  ${column('device_type.manufacturer.name')} || ' ' || ${column('device_type.model')}
    || ' (' || coalesce(nullif(${column('asset_tag')}, ''), ${column('id')}::text) || ')'
)`
