import { type Interface, parseInterface } from '../../net/ip.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { type RowOf, type Rule, rulesFor } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { ipRange } from './ip-range.ts'
import { vrf } from './vrf.ts'

type RangeRule = Rule<typeof ipRange.fields>
type RangeRow = RowOf<typeof ipRange.fields>

/** Largest size that fits the column. The reference accepts twice as much and then fails. */
const LARGEST = 2n ** 31n - 1n

const endsOf = (row: RangeRow): readonly [Interface, Interface] | undefined => {
  const [start, end] = [parseInterface(row.start_address), parseInterface(row.end_address)]
  return start && end && [start, end]
}

const endsMatch: RangeRule = ({ next }) => {
  const [start, end] = endsOf(next) ?? []
  if (!start || !end) return
  if (start.family !== end.family) return { end_address: 'Both ends must be of one family.' }
  if (start.length !== end.length) return { end_address: 'Both ends must have the same mask.' }
  return end.value < start.value
    ? { end_address: `The range must not end before ${next.start_address}.` }
    : undefined
}

/** Overlapping range of each row, stored or earlier in the batch. */
const overlaps = oncePerBatch<typeof ipRange.fields, Promise<ReadonlyMap<RangeRow, string>>>(
  async ({ batch, read }) => {
    const host = (address: string) => address.split('/')[0] ?? ''
    const found = await read.database.query<{
      position: number
      id: number | null
      name: string
    }>(sql`
      with q as (
        select * from unnest(
          ${batch.map((row) => host(row.start_address))}::inet[],
          ${batch.map((row) => host(row.end_address))}::inet[],
          ${batch.map((row) => row.vrf)}::bigint[]
        ) with ordinality as q(low, high, vrf, position)
      ), other as (
        select host(r.start_address)::inet as low, host(r.end_address)::inet as high,
          r.vrf_id as vrf, 0 as position, r.id
        from ${table('ipam.iprange')} r where r.id <> all(${batch.map(({ id }) => id)}::bigint[])
        union all
        select q.*, null from q
      )
      select q.position, o.id, host(o.low) || '-' || host(o.high) as name
      from q join other o on o.vrf is not distinct from q.vrf and o.position < q.position
        and o.low <= q.high and o.high >= q.low`)
    const shown = await Promise.all(found.map(({ id }) => id === null || read.shows(ipRange, id)))
    return new Map(
      found.flatMap(({ position, name }, index) => {
        const row = batch[position - 1]
        return row ? [[row, shown[index] ? name : 'another'] as const] : []
      }),
    )
  },
)

/** NetBox's words: the NetBox operator for Kubernetes recognises an overlap by them. */
const refuseOverlap: RangeRule = async (change) => {
  const other = (await overlaps(change)).get(change.next)
  if (other === undefined) return undefined
  const { next, read } = change
  const table = next.vrf === null ? 'None' : (await read.get(vrf, next.vrf)).display
  return { __all__: `Defined addresses overlap with range ${other} in VRF ${table}` }
}

const refuseExcess: RangeRule = ({ next }) => {
  const [start, end] = endsOf(next) ?? []
  return start && end && end.value - start.value + 1n > LARGEST
    ? { __all__: `A range holds at most ${LARGEST} addresses.` }
    : undefined
}

export const ipRangeBehaviour = rulesFor(ipRange, endsMatch, refuseOverlap, refuseExcess)
