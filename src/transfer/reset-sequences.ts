import type { Registry } from '../schema/registry.ts'
import { identifier, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'

/** New rows get ids above the highest that is there, and never one that has been given before. */
export async function resetSequences(queryable: Queryable, registry: Registry): Promise<void> {
  for (const { table } of registry.models.values()) {
    await queryable.query(sql`
      select setval(s.name, greatest(m.highest, n.given))
      from (select pg_get_serial_sequence(${table}, 'id')::regclass as name) s,
        (select max(id) as highest from ${identifier(table)}) m,
        lateral (select coalesce(pg_sequence_last_value(s.name), 0) as given) n
      where m.highest > n.given`)
  }
}
