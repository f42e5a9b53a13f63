import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'

/** Models with the four columns of `scopeCache`, and the relation from which they are derived. */
export const SCOPED = [
  { name: 'ipam.prefix', relation: 'scope' },
  { name: 'virtualization.cluster', relation: 'scope' },
  { name: 'wireless.wirelesslan', relation: 'scope' },
  {
    name: 'circuits.circuittermination',
    relation: 'termination',
  },
] as const

const COLUMNS = ['_location_id', '_site_id', '_region_id', '_site_group_id'] as const

/** Updates the places of the rows that `condition` (over alias `x`) selects from their scopes. */
export function refreshScopePlaces(
  database: Queryable,
  { name, relation }: (typeof SCOPED)[number],
  condition: (type: Sql, id: Sql) => Sql,
): Promise<number> {
  const type = identifier('x', `${relation}_type`)
  const id = identifier('x', `${relation}_id`)
  const listed = (alias: string) => join(COLUMNS.map((name) => identifier(alias, name)))
  return database.execute(sql`
    ${updateTable(name)} t set ${join(COLUMNS.map((column) => sql`${identifier(column)} = ${identifier('q', column)}`))}
    from (
      select x.id, l.id as _location_id, s.id as _site_id,
        case when ${type} = 'dcim.region' then ${id} else s.region_id end as _region_id,
        case when ${type} = 'dcim.sitegroup' then ${id} else s.group_id end as _site_group_id
      from ${table(name)} x
      left join ${table('dcim.location')} l on ${type} = 'dcim.location' and l.id = ${id}
      left join ${table('dcim.site')} s on s.id = case ${type} when 'dcim.site' then ${id} else l.site_id end
      where ${condition(type, id)}
    ) q
    where t.id = q.id and (${listed('t')}) is distinct from (${listed('q')})`)
}
