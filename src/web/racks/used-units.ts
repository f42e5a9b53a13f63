import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/**
 * Query for the units in use by rack: `rack_id`, `units`. A unit counts once, whatever the faces; devices of types that
 * are excluded from the utilization do not count. `where`: condition on the devices `d`.
 */
export const usedUnits = (where: Sql): Sql => sql`
  -- Not count(distinct half): for its order, PostgreSQL would read and sort all devices.
  select rack_id, count(*) / 2.0 as units
  from (
    select distinct d.rack_id, half
    from ${table('dcim.device')} d
    join ${table('dcim.devicetype')} y on y.id = d.device_type_id,
      generate_series((d.position * 2)::int, ((d.position + y.u_height) * 2)::int - 1) half
    where ${where} and d.position is not null and not y.exclude_from_utilization
  ) halves
  group by rack_id`
