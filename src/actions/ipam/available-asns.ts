import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import {
  type Action,
  type ActionRequest,
  answerText,
  listOf,
  oneOrMany,
  schema,
} from '../action.ts'
import { allocate, exhausted, withValues } from '../allocate.ts'
import { limitOf } from '../limit.ts'
import { nestedText } from '../nested.ts'
import { findTarget } from '../target.ts'

interface AsnRange extends Record<string, unknown> {
  readonly rir: number
  readonly start: number
  readonly end: number
}

const findRange = (request: ActionRequest, queryable?: Queryable) =>
  findTarget<AsnRange>(request, 'ipam.asnrange', {
    columns: sql`, t.rir_id as rir, t.start, t."end"`,
    ...(queryable && { queryable }),
  })

/** The lowest free numbers of the range; reads no more than necessary of a range of billions. */
async function freeNumbers(
  queryable: Queryable,
  { start, end }: AsnRange,
  count: number,
): Promise<number[]> {
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

async function list(request: ActionRequest) {
  const range = await findRange(request)
  const numbers = await freeNumbers(request.service.database, range, limitOf(request))
  const rir = await nestedText(request, 'ipam.rir', range.rir)
  return answerText(`[${numbers.map((asn) => `{"rir":${rir},"asn":${asn}}`).join(',')}]`)
}

const take = (request: ActionRequest) =>
  allocate(request, {
    of: 'ipam.asn',
    // The reference does not count related objects of new ones.
    omit: ['site_count', 'provider_count'],
    complete: async (bodies, queryable) => {
      const range = await findRange(request, queryable)
      const numbers = await freeNumbers(queryable, range, bodies.length)
      return bodies.map((body, index) => {
        const asn = numbers[index]
        if (asn === undefined) throw exhausted()
        return withValues(body, { asn, rir: range.rir })
      })
    },
  })

/** Free AS numbers of a range. */
export const availableAsns: Action = {
  path: 'ipam/asn-ranges/:id/available-asns',
  title: 'ASN',
  methods: {
    GET: {
      permission: { view: 'ipam.asnrange' },
      answer: listOf(schema('AvailableASN')),
      handle: list,
    },
    POST: {
      permission: { view: 'ipam.asnrange', add: 'ipam.asn' },
      body: oneOrMany(schema('ASNRequest')),
      status: 201,
      answer: oneOrMany(schema('ASN')),
      handle: take,
    },
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
}
