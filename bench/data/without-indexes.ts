import type { Transaction } from '../../src/db/database.ts'
import { identifier, volatile } from '../../src/sql/fragment.ts'
import { systemTable } from '../../src/sql/table.ts'

interface Part {
  /** Statement that drops the index or constraint. */
  readonly drop: string
  /** Statement that creates it again, unchanged. */
  readonly create: string
}

/**
 * Runs `work` while the tables have only their primary keys, then creates all other indexes and constraints again.
 * For many rows that is several times faster than updating the indexes row by row. No other connection can read the
 * tables until the transaction ends.
 */
export async function withoutIndexes(
  transaction: Transaction,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const parts = await partsOf(transaction, tables)
  await transaction.script(parts.map(({ drop }) => drop).join(';\n'))
  await work()
  // Tables with pending deferred checks cannot be altered.
  await transaction.script('set constraints all immediate')
  for (const { create } of parts.toReversed()) await transaction.script(create)
  await transaction.script('set constraints all deferred')
}

/** Foreign keys first: other constraints may depend on unique constraints. */
async function partsOf(transaction: Transaction, tables: readonly string[]): Promise<Part[]> {
  const constraints = await transaction.query<{ table: string; name: string; definition: string }>(
    volatile`select conrelid::regclass::text as "table", conname as name,
        pg_get_constraintdef(oid) as definition
      from ${systemTable('pg_constraint')}
      where conrelid = any(${tables}::regclass[]) and contype in ('f', 'u')
      order by contype, conname`,
  )
  const indexes = await transaction.query<{ name: string; definition: string }>(
    volatile`select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
      from ${systemTable('pg_index')} i
      where i.indrelid = any(${tables}::regclass[])
        and not exists (select 1 from ${systemTable('pg_constraint')} c where c.conindid = i.indexrelid
          and c.conrelid = i.indrelid)
      order by 1`,
  )
  return [
    ...constraints.map(({ table, name, definition }) => {
      const quoted = identifier(name).text
      return {
        drop: `alter table ${table} drop constraint ${quoted}`,
        create: `alter table ${table} add constraint ${quoted} ${definition}`,
      }
    }),
    // The catalogue's own text quotes names where necessary.
    ...indexes.map(({ name, definition }) => ({ drop: `drop index ${name}`, create: definition })),
  ]
}
