import type { StoredTable } from '../../db/migrate/stored-schema.ts'
import { volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'

/** Last value of each table's sequence, for tables whose sequence has been used. */
export async function readSequences(
  queryable: Queryable,
  tables: Readonly<Record<string, StoredTable>>,
): Promise<Readonly<Record<string, number>>> {
  const { names, columns } = numbered(tables)
  const rows = await queryable.queryArrays(volatile`
    select t.name, t.last from (
      select name, pg_sequence_last_value(pg_get_serial_sequence(quote_ident(name), col)::regclass)
      from unnest(${names}::text[], ${columns}::text[]) as n (name, col)
    ) as t (name, last) where t.last is not null`)
  return Object.fromEntries(rows.map(([name, last]) => [String(name), Number(last)]))
}

/** Sets the sequences to these values. */
export async function setSequences(
  queryable: Queryable,
  tables: Readonly<Record<string, StoredTable>>,
  sequences: Readonly<Record<string, number>>,
): Promise<void> {
  const { names, columns } = numbered(tables)
  const last = names.map((name) => sequences[name] ?? null)
  await queryable.query(volatile`
    select setval(pg_get_serial_sequence(quote_ident(name), col)::regclass, last)
    from unnest(${names}::text[], ${columns}::text[], ${last}::bigint[]) as t (name, col, last)
    where last is not null`)
}

/** Tables with a numbered column, and at the same positions those columns. */
function numbered(tables: Readonly<Record<string, StoredTable>>): {
  readonly names: readonly string[]
  readonly columns: readonly string[]
} {
  const identities = Object.entries(tables).flatMap(([name, { columns }]) =>
    Object.entries(columns)
      .filter(([, { identity }]) => identity)
      .map(([column]) => [name, column] as const),
  )
  return {
    names: identities.map(([name]) => name),
    columns: identities.map(([, column]) => column),
  }
}
