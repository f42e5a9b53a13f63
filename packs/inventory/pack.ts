/** What assigning, purchasing and deleting do to assets. */
import {
  type AnyRow,
  behaviourOf,
  identifier,
  packCode,
  sql,
  table,
  type UntypedChange,
  type UntypedEffect,
} from 'cadastre'

const ASSET = 'netbox_inventory.asset'

/** The hardware that an asset can be, by the field that refers to it. */
const HARDWARE = {
  device: 'dcim.device',
  module: 'dcim.module',
  inventoryitem: 'dcim.inventoryitem',
  rack: 'dcim.rack',
} as const

const isAssigned = (row: AnyRow): boolean => Object.keys(HARDWARE).some((field) => row[field] !== null)

/** Assigned hardware is used, and what is no longer assigned is in store again. */
function statusOf({ next, previous }: UntypedChange) {
  const was = previous !== undefined && isAssigned(previous)
  if (isAssigned(next)) return was ? undefined : { status: 'used' }
  return was && next.status === 'used' ? { status: 'stored' } : undefined
}

/** A delivery implies its purchase. */
async function purchaseOf({ next, read }: UntypedChange) {
  if (next.delivery === null) return undefined
  const [delivery] = await read.database.query<Record<string, unknown>>(
    sql`select purchase_id as purchase from ${table('netbox_inventory.delivery')} where id = ${next.delivery}::bigint`,
  )
  return delivery
}

/** Deleted hardware frees its asset, which is in store again. */
const freeAssets =
  (field: keyof typeof HARDWARE) =>
  async ({ rows, database, write }: UntypedEffect): Promise<void> => {
    const ids = rows.flatMap(({ previous }) => previous?.id ?? [])
    const assets = await database.query<Record<string, unknown> & { id: number; status: string }>(sql`
      select id, status from ${table(ASSET)}
      where ${identifier(`${field}_id`)} = any(${ids}::bigint[])`)
    if (assets.length === 0) return
    const freed = assets.map(({ id, status }) => ({ id, [field]: null, status: status === 'used' ? 'stored' : status }))
    await write.update({ name: ASSET }, freed)
  }

export default packCode({
  behaviours: [
    behaviourOf(ASSET, { normalize: [statusOf, purchaseOf] }),
    ...Object.entries(HARDWARE).map(([field, model]) =>
      behaviourOf(model, { beforeDelete: [freeAssets(field as keyof typeof HARDWARE)] }),
    ),
  ],
})
