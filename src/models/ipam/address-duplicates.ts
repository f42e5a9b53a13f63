import { earlierDuplicates } from '../../schema/earlier-duplicates.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import type { Read, RowOf } from '../../schema/rule.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { enforcedIn } from './enforced-uniqueness.ts'
import { ipAddress } from './ip-address.ts'

type AddressFields = typeof ipAddress.fields
type AddressRow = RowOf<AddressFields>

/** An address that another one must not repeat. */
type Duplicate = Pick<AddressRow, 'id' | 'address' | 'role'>

/** The host of an address, without the length of its network. */
export const hostOf = ({ address }: AddressRow): string => address.split('/')[0] ?? ''

/** Names of the routing tables that refuse duplicates, by the id of their VRF. */
export const enforcedTables = oncePerBatch<
  AddressFields,
  Promise<ReadonlyMap<number | null, string>>
>(async ({ batch, read, settings }) => {
  const vrfs = [...new Set(batch.map(({ vrf }) => vrf))]
  const names = await Promise.all(vrfs.map((vrf) => enforcedIn(vrf, read, settings)))
  return new Map(
    vrfs.flatMap((vrf, index) => {
      const name = names[index]
      return name === undefined ? [] : [[vrf, name] as const]
    }),
  )
})

/** Rows of the batch that stand before the row and have its host and VRF. */
export const duplicatesBefore = earlierDuplicates<AddressFields>(
  (row) => `${row.vrf} ${hostOf(row)}`,
)

/** The stored addresses with the host and the VRF of each row whose table refuses duplicates; those that the batch changes are left out. */
export const storedDuplicates = oncePerBatch<
  AddressFields,
  Promise<ReadonlyMap<AddressRow, readonly Duplicate[]>>
>(async (change) => {
  const { batch, read } = change
  const tables = await enforcedTables(change)
  const checked = batch.filter(({ vrf }) => tables.has(vrf))
  const ids = batch.flatMap(({ id }) => (id > 0 ? [id] : []))
  const found = await Promise.all(
    [checked.filter(({ vrf }) => vrf !== null), checked.filter(({ vrf }) => vrf === null)].map(
      (rows) => findStored(read, rows, ids),
    ),
  )
  return new Map(found.flat())
})

async function findStored(
  { database }: Read,
  rows: readonly AddressRow[],
  changing: readonly number[],
): Promise<readonly (readonly [AddressRow, readonly Duplicate[]])[]> {
  const [first] = rows
  if (!first) return []
  const stored = await database.query<Duplicate & { position: number }>(sql`
    select q.position, d.id, d.address, d.role
    from unnest(${rows.map(hostOf)}::inet[], ${rows.map(({ vrf }) => vrf)}::bigint[])
      with ordinality as q(host, vrf, position)
    cross join lateral (
      select t.id, text(t.address) as address, t.role from ${table(ipAddress.name)} t
      where ${first.vrf === null ? isSameGlobal : isSameInVrf} offset 0) d
    where d.id not in (select unnest(${changing}::bigint[]))
    order by d.id`)
  return [...Map.groupBy(stored, ({ position }) => position)].flatMap(([position, duplicates]) => {
    const row = rows[position - 1]
    return row ? [[row, duplicates] as const] : []
  })
}

/*
 * Rows are compared, since only btree indexes can find them so. Of two plain comparisons PostgreSQL would choose the GiST index of
 * hosts while the table is small; it takes 50 times as long, also when the table has grown. `offset 0` forces a lookup for each: a join
 * that is planned for a small table reads all of it.
 */
const isSameInVrf: Sql = sql`
  (t.vrf_id, t._host) >= (q.vrf, q.host) and (t.vrf_id, t._host) <= (q.vrf, q.host)`

/** Not "is null", which has an index of its own: of all addresses outside of VRFs. */
const isSameGlobal: Sql = sql`
  (t._host, t.id) >= (q.host, 0) and (t._host, t.id) <= (q.host, 9223372036854775807)
  and t.vrf_id is not distinct from q.vrf`
