import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { address, boolean, choice, derived, foreignKey, integer } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Interface, parseInterface } from '../../schema/net/ip.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type RowOf, type Rule, rulesFor } from '../../schema/rule.ts'
import { textContains } from '../../schema/search-term.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { addressFilter, familyFilter, insideFilter, rangeHolds } from './address.filters.ts'
import { equalsAddress } from './address-search.ts'
import { ipAddressFamily } from './choices.ts'
import { vrf } from './vrf.ts'

/** Number of addresses from the first to the last, both included; 0 for an invalid address. */
function sizeOfRange(start: string, end: string): number {
  const [first, last] = [parseInterface(start), parseInterface(end)]
  return first && last ? Number(last.value - first.value) + 1 : 0
}

/**
 * `192.0.2.10-20/24`: leading groups that both ends share are written once. Both ends are written in full if they are
 * equal or share no group.
 */
function displayOfRange(column: ColumnOf): Sql {
  const start = column('start_address')
  const end = column('end_address')
  return sql`(
    select case
      when g.shared in (0, cardinality(g.a)) then host(${start}) || '-' || host(${end})
      else array_to_string(g.a[1:g.shared], g.separator) || g.separator
        || array_to_string(g.a[g.shared + 1:], g.separator) || '-'
        || array_to_string(g.b[g.shared + 1:], g.separator)
    end || '/' || masklen(${start})
    from (
      select h.*, (
        select count(*)::integer
        from unnest(h.a) with ordinality x(part, position)
        where h.b[x.position] = x.part
      ) as shared
      from (
        select s.separator,
          string_to_array(host(${start}), s.separator) as a,
          string_to_array(host(${end}), s.separator) as b
        from (select case family(${start}) when 4 then '.' else ':' end as separator) s
      ) h
    ) g
  )`
}

const ipRangeStatus = choices([
  ['active', 'Active', 'blue'],
  ['reserved', 'Reserved', 'cyan'],
  ['deprecated', 'Deprecated', 'red'],
])

/** Consecutive addresses, such as a DHCP pool. */
export const ipRange = model({
  name: 'ipam.iprange',
  path: 'ipam/ip-ranges',
  labels: ['IP range', 'IP ranges'],
  about: 'Addresses from a first to a last one, such as a DHCP pool.',

  fields: {
    family: derived('integer', (column) => sql`family(${column('start_address')})`, {
      choices: ipAddressFamily,
    }),
    start_address: address({}),
    end_address: address({}),
    size: integer({
      range: [0, 2147483647],
      readOnly: true,
      compute: (row) => sizeOfRange(String(row.start_address), String(row.end_address)),
    }),
    vrf: foreignKey('ipam.vrf', { related: 'ip_ranges', nullable: true }),
    tenant,
    status: choice(ipRangeStatus, { default: 'active' }),
    role: foreignKey('ipam.role', { onDelete: 'setNull', related: 'ip_ranges' }),
    description,
    owner,
    comments,
    ...housekeeping,
    mark_populated: boolean({ default: false }),
    mark_utilized: boolean({ default: false }),
  },

  display: displayOfRange,
  brief: ['id', 'url', 'display', 'family', 'start_address', 'end_address', 'description'],
  lock: 'ipam.address',
  naturalKey: ['start_address', 'end_address', 'vrf'],
  order: [{ field: 'vrf', nulls: 'first' }, 'start_address', 'id'],
  search: [
    'description',
    textContains('start_address'),
    textContains('end_address'),
    equalsAddress('start_address', 'end_address'),
  ],

  filters: {
    family: familyFilter('start_address'),
    start_address: addressFilter('start_address'),
    end_address: addressFilter('end_address'),
    contains: rangeHolds,
    vrf: related('vrf', 'ipam.vrf', 'rd'),
    parent: insideFilter('start_address', 'end_address'),
  },
  features: [...PRIMARY, 'contacts'],
})

type RangeRule = Rule<typeof ipRange.fields>
type RangeRow = RowOf<typeof ipRange.fields>

/** Largest size that fits the column. NetBox accepts twice as much and then fails. */
const LARGEST = 2n ** 31n - 1n

const endsOf = (row: RangeRow): readonly [Interface, Interface] | undefined => {
  const [start, end] = [parseInterface(row.start_address), parseInterface(row.end_address)]
  return start && end && [start, end]
}

const endsMatch: RangeRule = ({ next }) => {
  const [start, end] = endsOf(next) ?? []
  if (!start || !end) return
  if (start.family !== end.family) return { end_address: 'Both ends must have the same address family.' }
  if (start.length !== end.length) return { end_address: 'Both ends must have the same mask.' }
  return end.value < start.value ? { end_address: `The range must not end before ${next.start_address}.` } : undefined
}

/** Overlapping range of each row, stored or earlier in the batch. */
const overlaps = oncePerBatch<typeof ipRange.fields, Promise<ReadonlyMap<RangeRow, string>>>(
  async ({ batch, read }) => {
    const host = (address: string) => address.split('/')[0] ?? ''
    const overlapping = await read.database.query<{
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
    const visible = await Promise.all(overlapping.map(({ id }) => id === null || read.shows(ipRange, id)))
    return new Map(
      overlapping.flatMap(({ position, name }, index) => {
        const row = batch[position - 1]
        return row ? [[row, visible[index] ? name : 'another'] as const] : []
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
    ? { __all__: `A range may contain at most ${LARGEST} addresses.` }
    : undefined
}

export const ipRangeModel = registered(ipRange, {
  behaviour: rulesFor(ipRange, endsMatch, refuseOverlap, refuseExcess),
  context: ['vrf'],
  columns: words('start_address end_address size vrf status role tenant description'),
  labels: { mark_populated: 'Marked Populated', mark_utilized: 'Marked Utilized' },
  panels: words(`
    family start_address end_address size mark_populated mark_utilized vrf role status tenant
    description
  `),
  cloned: words('vrf tenant status role description mark_populated mark_utilized'),
  form: {
    'IP Range': words(`
      vrf start_address end_address role status mark_populated mark_utilized description tags
    `),
  },
  filters: { Attributes: words('family vrf_id status role_id mark_populated mark_utilized') },
  bulkEdit: {
    '': words('status role vrf tenant mark_utilized description'),
    More: words('owner comments mark_populated'),
  },
  importRequires: ['status'],
  search: {
    weights: { start_address: 100, end_address: 300 },
    range: ['start_address', 'end_address'],
    shown: words('vrf tenant status role description'),
  },
})
