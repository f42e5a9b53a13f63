import { parseInterface } from '../../net/ip.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { type RowOf, type Rule, rulesFor } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { aggregate } from './aggregate.ts'

type AggregateRule = Rule<typeof aggregate.fields>
type AggregateRow = RowOf<typeof aggregate.fields>

const refuseWholeInternet: AggregateRule = ({ next }) =>
  parseInterface(next.prefix)?.length === 0
    ? { prefix: 'An aggregate cannot be the whole address space.' }
    : undefined

/** Overlapping aggregate of each row, stored or earlier in the batch. */
const overlaps = oncePerBatch<typeof aggregate.fields, Promise<ReadonlyMap<AggregateRow, string>>>(
  async ({ batch, read }) => {
    const found = await read.database.query<{
      position: number
      id: number | null
      prefix: string
    }>(sql`
      with q as (
        select * from unnest(${batch.map((row) => row.prefix)}::cidr[])
          with ordinality as q(prefix, position)
      )
      select q.position, o.id, o.prefix::text from q join ${table('ipam.aggregate')} o on o.prefix && q.prefix
      where o.id <> all(${batch.map(({ id }) => id)}::bigint[])
      union all
      select q.position, null, e.prefix::text
      from q join q e on e.position < q.position and e.prefix && q.prefix`)
    const shown = await Promise.all(found.map(({ id }) => id === null || read.shows(aggregate, id)))
    return new Map(
      found.flatMap(({ position, prefix }, index) => {
        const row = batch[position - 1]
        return row ? [[row, shown[index] ? `the aggregate ${prefix}` : 'another'] as const] : []
      }),
    )
  },
)

/** Refuses aggregates that contain or are contained in another one. */
const refuseOverlap: AggregateRule = async (change) => {
  const other = (await overlaps(change)).get(change.next)
  return other ? { prefix: `${change.next.prefix} overlaps ${other}.` } : undefined
}

export const aggregateBehaviour = rulesFor(aggregate, refuseWholeInternet, refuseOverlap)
