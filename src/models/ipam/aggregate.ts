import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { date, derived, foreignKey, network } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { familyFilter, networkFilter, prefixPlaceFilters } from './address.filters.ts'
import { containsNetwork } from './address-search.ts'
import { ipAddressFamily } from './choices/ip-address-family.ts'

/** A block assigned by a registry (or reserved for private use): a root of the address space. */
export const aggregate = model({
  name: 'ipam.aggregate',
  path: 'ipam/aggregates',
  labels: ['aggregate', 'aggregates'],

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
