import { earlierDuplicates } from '../../schema/earlier-duplicates.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import type { Read, RowOf } from '../../schema/rule.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { ipAddress } from './ip-address.ts'
import { vrf } from './vrf.ts'

type AddressFields = typeof ipAddress.fields
type AddressRow = RowOf<AddressFields>

/** An address that must not be repeated. */
type Duplicate = Pick<AddressRow, 'id' | 'address' | 'role'>

/** The host of an address, without the length of its network. */
export const hostOf = ({ address }: AddressRow): string => address.split('/')[0] ?? ''

/** Earlier rows of the batch with the same host and VRF. */
export const duplicatesBefore = earlierDuplicates<AddressFields>((row) => `${row.vrf} ${hostOf(row)}`)

/**
 * The stored addresses with the host and VRF of each row whose routing table refuses duplicates, without those that the
 * batch changes.
 */
export const storedDuplicates = oncePerBatch<AddressFields, Promise<ReadonlyMap<AddressRow, readonly Duplicate[]>>>(
  async ({ batch, read, settings }) => {
    const ids = batch.flatMap(({ id }) => (id > 0 ? [id] : []))
    const global = settings.enforceGlobalUnique ? batch.filter(({ vrf }) => vrf === null) : []
    const duplicates = await Promise.all(
      [batch.filter(({ vrf }) => vrf !== null), global].map((rows) => findStored(read, rows, ids)),
    )
    return new Map(duplicates.flat())
  },
)

async function findStored(
  { database }: Read,
  rows: readonly AddressRow[],
  changing: readonly number[],
): Promise<readonly (readonly [AddressRow, readonly Duplicate[]])[]> {
  const [first] = rows
  if (!first) return []
  const vrfs = rows.map(({ vrf }) => vrf)
  const stored = await database.query<Duplicate & { position: number }>(sql`
    select q.position, d.id, d.address, d.role
    from unnest(${rows.map(hostOf)}::inet[], ${vrfs}::bigint[]) with ordinality as q(host, vrf, position)
    cross join lateral (
      select t.id, text(t.address) as address, t.role from ${table(ipAddress.name)} t
      where ${first.vrf === null ? isSameGlobal : isSameInVrf} offset 0) d
    where ${first.vrf === null ? sql`true` : isEnforced([...new Set(vrfs)])}
      and d.id not in (select unnest(${changing}::bigint[]))
    order by d.id`)
  return [...Map.groupBy(stored, ({ position }) => position)].flatMap(([position, duplicates]) => {
    const row = rows[position - 1]
    return row ? [[row, duplicates] as const] : []
  })
}

/** An array, since a join planned for a small table may read all of it when it has grown. */
const isEnforced = (vrfs: readonly (number | null)[]): Sql => sql`
  q.vrf = any(array(select v.id from ${table(vrf.name)} v where v.id = any(${vrfs}::bigint[]) and v.enforce_unique))`

// If present, `offset 0` forces a lookup per row: a join planned for a small table reads all of it when it has grown.
const isSameInVrf: Sql = sql`t.vrf_id = q.vrf and t._host = q.host`

/** Not "is null", because another index exists for that: the one of all addresses outside of VRFs. */
const isSameGlobal: Sql = sql`t._host = q.host and t.vrf_id is not distinct from q.vrf`
