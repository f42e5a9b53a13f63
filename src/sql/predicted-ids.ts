import { empty, type Sql, sql, volatile } from './fragment.ts'
import type { Queryable } from './queryable.ts'
import { quoteName } from './quote-name.ts'
import { declaredTable } from './table-names.ts'

/**
 * Ids of new rows in a transaction that is rolled back: the next values of the tables' sequences. The sequences are
 * only read, because a rollback does not reset them. Another transaction may take the same ids; one of the two then
 * waits for the other.
 */
export class PredictedIds {
  readonly #given = new Map<string, number>()

  /** Reserves ids for that many new rows of a table; returns the id before the first of them. */
  take(table: string, count: number): Sql {
    const taken = this.#given.get(table) ?? 0
    this.#given.set(table, taken + count)
    return volatile`((select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${quoteName(table)}, 'id')::regclass), 0)) + ${taken}::bigint)`
  }
}

/** Ids from the sequence of a model's table, which no other row will get. */
export const reserveIds = async (database: Queryable, model: string, count: number): Promise<readonly number[]> =>
  (
    await database.queryColumn(volatile`
      select nextval(pg_get_serial_sequence(${quoteName(declaredTable(model).table)}, 'id')) from generate_series(1, ${count}::int)`)
  ).map(Number)

/** Parts of an insert statement that give its rows their ids. */
interface NumberedInsert {
  /** Text for the list of columns, with a trailing comma; empty if the table's sequence numbers the rows. */
  readonly column: Sql
  /** The value of the column, at the same place in the select list. */
  readonly value: Sql
}

const BY_SEQUENCE: NumberedInsert = { column: empty, value: empty }

/**
 * The parts for an insert of `count` rows into the table of a model, given by its name. `position`: the row's position
 * among them, from 1.
 */
export function numberedInsert(
  { predictedIds }: Pick<Queryable, 'predictedIds'>,
  model: string,
  count: number,
  position: Sql = sql`1`,
): NumberedInsert {
  if (!predictedIds) return BY_SEQUENCE
  const before = predictedIds.take(declaredTable(model).table, count)
  return { column: sql`id, `, value: sql`${before} + ${position}, ` }
}
