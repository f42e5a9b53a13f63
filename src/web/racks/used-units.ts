import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/**
 * Query for the units in use by rack: `rack_id`, `units`. A unit of the rack counts once, whatever the faces; devices of
 * types that are excluded from the utilization do not count. `where`: condition on the racks `k`. It counts devices that a
 * user may not view as well, so it belongs to the sums of `applyRowSecurity`.
 */
export const usedUnits = (where: Sql): Sql => sql`
  -- Not count(distinct half): for its order, PostgreSQL would read and sort all devices.
  select rack_id, count(*) / 2.0 as units
  from (
    select distinct d.rack_id, half
    from ${table('dcim.rack')} k
    join ${table('dcim.device')} d on d.rack_id = k.id
    join ${table('dcim.devicetype')} y on y.id = d.device_type_id,
      generate_series((d.position * 2)::int, ((d.position + y.u_height) * 2)::int - 1) half
    where ${where} and d.position > 0 and not y.exclude_from_utilization
      and half between k.starting_unit * 2 and (k.starting_unit + k.u_height) * 2 - 1
  ) halves
  group by rack_id`
