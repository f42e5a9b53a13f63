import { sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import { exhausted, withValues } from '../allocate.ts'
import { limitOf } from '../limit.ts'
import { nestedText } from '../nested.ts'
import { findTarget } from '../target.ts'
import { availableAction } from './available-action.ts'

interface AsnRange extends Record<string, unknown> {
  readonly rir: number
  readonly start: number
  readonly end: number
}

/** The lowest free numbers of the range; reads no more than necessary, even of a range of billions. */
async function freeNumbers(queryable: Queryable, { start, end }: AsnRange, count: number): Promise<number[]> {
  const rows = await queryable.query<{ before: number; after: number }>(sql`
    with steps as (
      select asn as after, lag(asn, 1, ${start - 1}::bigint) over (order by asn) as before
      from ${table('ipam.asn')} where asn between ${start}::bigint and ${end}::bigint
    )
    (select before, after from steps where after > before + 1 order by after limit ${count})
    union all
    (select coalesce(max(asn), ${start - 1}::bigint), ${end + 1}::bigint from ${table('ipam.asn')}
     where asn between ${start}::bigint and ${end}::bigint)`)
  const free: number[] = []
  for (const { before, after } of rows) {
    for (let asn = before + 1; asn < after && free.length < count; asn += 1) free.push(asn)
  }
  return free
}

/** Numbers of a range of AS numbers that are still free. */
export const availableAsns = availableAction<AsnRange>({
  path: 'ipam/asn-ranges/:id/available-asns',
  title: 'ASN',
  parent: 'ipam.asnrange',
  creates: 'ipam.asn',
  // NetBox does not count related objects of new ones.
  omit: ['site_count', 'provider_count'],
  schemaNames: { entry: 'AvailableASN', body: 'ASNRequest', created: 'ASN' },
  find: (request, queryable) =>
    findTarget(request, 'ipam.asnrange', {
      columns: sql`, t.rir_id as rir, t.start, t."end"`,
      queryable,
    }),
  list: async (request, range) => {
    const numbers = await freeNumbers(request.service.database, range, limitOf(request))
    const rir = await nestedText(request, 'ipam.rir', range.rir)
    return numbers.map((asn) => `{"rir":${rir},"asn":${asn}}`)
  },
  complete: async (bodies, range, queryable) => {
    const numbers = await freeNumbers(queryable, range, bodies.length)
    return bodies.map((body, index) => {
      const asn = numbers[index]
      if (asn === undefined) throw exhausted()
      return withValues(body, { asn, rir: range.rir })
    })
  },
  schemas: {
    AvailableASN: {
      type: 'object',
      properties: {
        asn: { type: 'integer', readOnly: true },
        description: { type: 'string' },
      },
      required: ['asn'],
    },
  },
})
