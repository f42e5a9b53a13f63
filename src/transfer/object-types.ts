import type { Transaction } from '../db/database.ts'
import { seedObjectTypes } from '../db/migrate/object-types.ts'
import type { Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { deleteFrom } from '../sql/table.ts'
import type { ImportedRow } from './parse-row.ts'
import { resetSequences } from './reset-sequences.ts'

/**
 * Deletes local object types whose id, name or description differs from the data set's. `reassignTypeIds` then inserts
 * those again that the data set does not have.
 */
export async function freeTypeIds(
  transaction: Transaction,
  registry: Registry,
  rows: readonly ImportedRow[],
): Promise<void> {
  const column = (name: string) => rows.map((row) => row[name])
  await transaction.execute(sql`
    ${deleteFrom(registry.model(SYSTEM.objectType))} t
    using unnest(${column('id')}::bigint[], ${column('app_label')}::text[], ${column('model')}::text[],
      ${column('description')}::text[]) as q (id, app_label, model, description)
    where (t.id = q.id or (t.app_label = q.app_label and t.model = q.model))
      and (t.id, t.app_label, t.model, t.description)
        is distinct from (q.id, q.app_label, q.model, q.description)`)
}

export async function reassignTypeIds(transaction: Transaction, registry: Registry): Promise<void> {
  await resetSequences(transaction, registry)
  await seedObjectTypes(transaction, registry, { refresh: false })
}
