import type { Transaction } from '../db/database.ts'
import type { Registry } from '../schema/registry.ts'
import { volatile } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'

/**
 * Moves each sequence beyond the highest id of its table, never backwards, so that no id is used twice. It stays moved
 * if the transaction is rolled back.
 */
export async function resetSequences(queryable: Queryable, registry: Registry): Promise<void> {
  for (const model of registry.models.values()) {
    await queryable.query(volatile`
      select setval(s.name, greatest(m.highest, n.given))
      from (select pg_get_serial_sequence(${model.table}, 'id')::regclass as name) s,
        (select max(id) as highest from ${table(model)}) m,
        lateral (select coalesce(pg_sequence_last_value(s.name), 0) as given) n
      where m.highest > n.given`)
  }
}

/** As `resetSequences`, but until the transaction is rolled back. Other transactions wait for these sequences. */
export async function resetSequencesForNow(transaction: Transaction, registry: Registry): Promise<void> {
  for (const model of registry.models.values()) {
    const [row] = await transaction.queryArrays(volatile`
      select pg_get_serial_sequence(${model.table}, 'id'), max(id) from ${table(model)}
      having max(id) > coalesce(pg_sequence_last_value(pg_get_serial_sequence(${model.table}, 'id')::regclass), 0)`)
    if (row) await transaction.script(`alter sequence ${String(row[0])} restart with ${Number(row[1]) + 1}`)
  }
}
