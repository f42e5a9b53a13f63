import { identifier, volatile } from '../../src/sql/fragment.ts'
import { systemTable } from '../../src/sql/table.ts'
import type { Transaction } from '../../src/storage/database.ts'

interface Part {
  /** Statement that takes it away. */
  readonly drop: string
  /** Statement that makes it anew, as it was. */
  readonly create: string
}

/**
 * Runs `work` while the tables have no indexes and constraints but their primary keys, and makes these
 * anew afterwards: for many rows that is several times sooner than keeping them up row by row. Nobody
 * else can read the tables until the transaction ends.
 */
export async function withoutIndexes(
  transaction: Transaction,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const parts = await partsOf(transaction, tables)
  await transaction.script(parts.map(({ drop }) => drop).join(';\n'))
  await work()
  // What is still to be checked at the end stands in the way of changes to the tables.
  await transaction.script('set constraints all immediate')
  for (const { create } of parts.toReversed()) await transaction.script(create)
  await transaction.script('set constraints all deferred')
}

/** Foreign keys first, since others may rest on unique constraints. */
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
    // The catalogue's own texts: names come quoted where they have to be.
    ...indexes.map(({ name, definition }) => ({ drop: `drop index ${name}`, create: definition })),
  ]
}
