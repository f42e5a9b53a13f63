import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/**
 * `192.0.2.10-20/24`: leading groups that both ends share are written once. Both ends are written in full if they are
 * equal or share no group.
 */
export function displayOfRange(column: ColumnOf): Sql {
  const start = column('start_address')
  const end = column('end_address')
  return sql`(
    select case
      when g.shared in (0, cardinality(g.a)) then host(${start}) || '-' || host(${end})
      else array_to_string(g.a[1:g.shared], g.separator) || g.separator
        || array_to_string(g.a[g.shared + 1:], g.separator) || '-'
        || array_to_string(g.b[g.shared + 1:], g.separator)
    end || '/' || masklen(${start})
    from (
      select h.*, (
        select count(*)::integer
        from unnest(h.a) with ordinality x(part, position)
        where h.b[x.position] = x.part
      ) as shared
      from (
        select s.separator,
          string_to_array(host(${start}), s.separator) as a,
          string_to_array(host(${end}), s.separator) as b
        from (select case family(${start}) when 4 then '.' else ':' end as separator) s
      ) h
    ) g
  )`
}
