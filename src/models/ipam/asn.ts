import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { foreignKey, integer, manyToMany, relatedCount } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { equalsInteger } from '../../schema/search-term.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** `AS65000`; from 65536 upwards with the two halves: `AS65536 (1.0)`. */
const displayOfAsn = (column: ColumnOf): Sql => sql`'AS' || ${column('asn')} || case
  when ${column('asn')} > 65535
    then ' (' || (${column('asn')} >> 16) || '.' || (${column('asn')} & 65535) || ')'
  else ''
end`

/** An autonomous system number. */
export const asn = model({
  name: 'ipam.asn',
  path: 'ipam/asns',
  labels: ['ASN', 'ASNs'],
  about: 'The number of an autonomous system in BGP.',

  fields: {
    asn: integer({ size: 'big', range: [1, 4294967295], unique: true, label: 'ASN' }),
    rir: foreignKey('ipam.rir', { related: 'asns', lateRequired: true }),
    role: foreignKey('ipam.role', { onDelete: 'setNull', related: 'asns' }),
    tenant,
    description,
    owner,
    comments,
    ...housekeeping,
    site_count: relatedCount('dcim.site', 'asns'),
    provider_count: relatedCount('circuits.provider', 'asns'),
    sites: manyToMany('dcim.site', {
      inverse: 'asns',
      projection: ['id', 'url', 'display', 'name', 'description', 'slug'],
    }),
  },

  display: displayOfAsn,
  graphql: { optional: ['rir'] },
  brief: ['id', 'url', 'display', 'asn', 'description'],
  order: ['asn'],
  search: ['description', equalsInteger('asn')],

  filters: {
    // Contacts can be assigned, but there is no filter for them.
    contact: null,
    contact_role: null,
    contact_group: null,
    ...byIdAnd('slug', 'site_group', relatedTree('sites.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('sites', 'dcim.site')),
    ...byIdAnd('slug', 'provider', related('providers', 'circuits.provider')),
  },
  features: [...PRIMARY, 'contacts'],
})

export const asnModel = registered(asn, {
  context: ['rir'],
  columns: words('asn rir role site_count provider_count sites description tenant'),
  labels: titled('site_count provider_count'),
  panels: words('asn rir role tenant description'),
  form: { ASN: words('asn rir role sites description tags') },
  filters: { Assignment: words('rir_id role_id site_group_id site_id') },
  imports: { without: ['sites'] },
  search: { weights: { asn: 100, display: 110 }, shown: words('rir role tenant description') },
})
