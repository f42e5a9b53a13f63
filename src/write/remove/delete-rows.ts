import { deletionOrder } from '../../schema/deletion-order.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { deleteFrom } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { keepsFiles } from '../media/transaction-files.ts'
import { noteForSearch } from '../record/unindexed-changes.ts'
import type { StoredRow } from '../rows.ts'
import { adjustCounters } from '../save/counters.ts'

/** Deletes the rows with their parts in other tables, each before the rows that it refers to. */
export function deleteRows(context: WriteContext, rows: ReadonlyMap<Model, readonly StoredRow[]>): void {
  const { service, transaction } = context
  for (const [model, list] of rows) deleteParts(context, model, list)
  for (const model of deletionOrder(service.registry).models) {
    const list = rows.get(model)
    if (!list) continue
    const ids = list.map(({ id }) => id)
    transaction.send(sql`${deleteFrom(model, { rows: ids, columns: undefined })} where id = any(${ids}::bigint[])`)
    adjustCounters(context, model, list, [])
    noteForSearch(context, model, ids)
  }
}

/** Deletes the rows of join tables and tags; files are deleted at the commit. */
function deleteParts(context: WriteContext, model: Model, rows: readonly StoredRow[]): void {
  const { service, transaction, media } = context
  const ids = rows.map(({ id }) => id)
  for (const [name, field] of model.fields) {
    if (field.kind === 'manyToMany') {
      const table = service.registry.joinTable(model, name, field)
      transaction.send(sql`
        ${deleteFrom(table)}
        where ${identifier(table.ownColumn)} = any(${ids}::bigint[])`)
    } else if (field.kind === 'tags') {
      transaction.send(sql`
        ${deleteFrom(SYSTEM.taggedItem)}
        where object_type = ${model.name} and object_id = any(${ids}::bigint[])`)
    } else if (field.kind === 'file' && !keepsFiles(model)) {
      for (const row of rows) {
        const path = row[name]
        if (typeof path === 'string' && path !== '') media.discard(path)
      }
    }
  }
}
