import { forbidden } from '../base/errors.ts'
import type { PermissionAction } from '../identity/actor.ts'
import { permittedRows } from '../identity/permitted-rows.ts'
import { compileOrder } from '../read/query/order.ts'
import type { Model } from '../schema/registry.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { WriteContext } from './context.ts'
import { loadRows, type StoredRow } from './rows.ts'

/** Throws `forbidden` unless the user may perform the action on every saved row. */
export async function requireAccess(
  { actor, service, transaction }: WriteContext,
  action: PermissionAction,
  model: Model,
  ids: readonly number[],
): Promise<void> {
  const permitted = permittedRows(actor, action, model, service.settings)
  if (permitted === 'all' || ids.length === 0) return
  const [row] = await transaction.query<{ allowed: number }>(sql`
    select count(*) as allowed from ${table(model)} t
    where t.id = any(${ids}::bigint[]) and ${permitted}`)
  if (row?.allowed !== ids.length) throw forbidden()
}

/** Rows with the ids on which the user may act, locked against concurrent changes, in the model's own order. */
export async function lockTargets(
  context: WriteContext,
  action: PermissionAction,
  model: Model,
  ids: readonly number[],
): Promise<StoredRow[]> {
  const { service, transaction } = context
  const lock = (targets: readonly number[]) => loadRows(service, transaction, model, targets, { lock: true })
  const permitted = permittedRows(context.actor, action, model, service.settings)
  // A single row needs no order, so most writes save the round trip.
  if (permitted === 'all' && ids.length === 1) return await lock(ids)
  const ordered = await selectTargets(context, action, model, ids)
  const rows = new Map((await lock(ordered)).map((row) => [row.id, row]))
  return ordered.flatMap((id) => rows.get(id) ?? [])
}

/** The ids on which the user may act, in the model's own order. */
export async function selectTargets(
  { actor, service, transaction }: WriteContext,
  action: PermissionAction,
  model: Model,
  ids: readonly number[],
): Promise<number[]> {
  const permitted = permittedRows(actor, action, model, service.settings)
  if (ids.length === 0) return []
  const { joins, terms } = compileOrder(service, model, undefined)
  const rows = await transaction.query<{ id: number }>(sql`
    select t.id from ${table(model)} t ${joins}
    where t.id = any(${ids}::bigint[]) ${permitted === 'all' ? sql`` : sql`and ${permitted}`}
    order by ${terms}`)
  return rows.map(({ id }) => id)
}
