import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { date, derived, foreignKey, network } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { parseInterface } from '../../schema/net/ip.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { type RowOf, type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, tab, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { familyFilter, networkFilter, prefixPlaceFilters } from './address.filters.ts'
import { containsNetwork } from './address-search.ts'
import { ipAddressFamily } from './choices.ts'

/** A block assigned by a registry (or reserved for private use): a root of the address space. */
export const aggregate = model({
  name: 'ipam.aggregate',
  path: 'ipam/aggregates',
  labels: ['aggregate', 'aggregates'],
  about: 'A block of addresses from a registry, of which prefixes are parts.',

  fields: {
    family: derived('integer', (column) => sql`family(${column('prefix')})`, {
      choices: ipAddressFamily,
    }),
    prefix: network({}),
    rir: foreignKey('ipam.rir', { related: 'aggregates' }),
    tenant,
    date_added: date({ nullable: true }),
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: (column) => sql`${column('prefix')}::text`,
  graphql: { optional: ['rir'] },
  brief: ['id', 'url', 'display', 'family', 'prefix', 'description'],
  lock: 'ipam.aggregate',
  naturalKey: ['prefix', 'rir'],
  order: ['prefix', 'id'],
  search: ['description', containsNetwork('prefix')],

  filters: {
    family: familyFilter('prefix'),
    prefix: networkFilter(false),
    contains: prefixPlaceFilters.contains,
  },
  features: [...PRIMARY, 'contacts'],
})

type AggregateRule = Rule<typeof aggregate.fields>
type AggregateRow = RowOf<typeof aggregate.fields>

const refuseWholeInternet: AggregateRule = ({ next }) =>
  parseInterface(next.prefix)?.length === 0 ? { prefix: 'An aggregate cannot be the whole address space.' } : undefined

/** Overlapping aggregate of each row, stored or earlier in the batch. */
const overlaps = oncePerBatch<typeof aggregate.fields, Promise<ReadonlyMap<AggregateRow, string>>>(
  async ({ batch, read }) => {
    const overlapping = await read.database.query<{
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
    const visible = await Promise.all(overlapping.map(({ id }) => id === null || read.shows(aggregate, id)))
    return new Map(
      overlapping.flatMap(({ position, prefix }, index) => {
        const row = batch[position - 1]
        return row ? [[row, visible[index] ? `the aggregate ${prefix}` : 'another'] as const] : []
      }),
    )
  },
)

/** Refuses aggregates that contain or are contained in another one. */
const refuseOverlap: AggregateRule = async (change) => {
  const other = (await overlaps(change)).get(change.next)
  return other ? { prefix: `${change.next.prefix} overlaps ${other}.` } : undefined
}

export const aggregateModel = registered(aggregate, {
  behaviour: rulesFor(aggregate, refuseWholeInternet, refuseOverlap),
  context: ['rir'],
  columns: words('prefix rir tenant date_added description'),
  labels: { prefix: 'Aggregate', date_added: 'Added' },
  panels: words('family rir prefix tenant date_added description'),
  tabs: [tab('prefixes', 'ipam.prefix', { within: 'prefix' }, { hiddenIfEmpty: false })],
  cloned: words('rir tenant date_added description'),
  form: { Aggregate: words('prefix rir date_added description tags') },
  filters: { Attributes: words('family rir_id') },
  bulkEdit: { without: ['prefix'] },
  search: { weights: { prefix: 120, date_added: 2000 }, shown: words('rir tenant description') },
})
