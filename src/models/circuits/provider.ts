import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { manyToMany, relatedCount, reverse, slug, text } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** A company that sells circuits. */
export const provider = model({
  name: 'circuits.provider',
  path: 'circuits/providers',
  labels: ['provider', 'providers'],
  about: 'A carrier or another company that supplies circuits.',

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural' }),
    slug: slug({ max: 100, unique: true }),
    accounts: reverse('circuits.provideraccount', 'provider', {
      projection: ['id', 'url', 'display_url', 'display', 'name', 'account'],
    }),
    description,
    owner,
    comments,
    asns: manyToMany('ipam.asn', { related: 'providers' }),
    ...housekeeping,
    circuit_count: relatedCount('circuits.circuit', 'provider'),
  },

  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'circuit_count'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: {
    ...byIdAnd('slug', 'region', relatedTree('circuits.terminations._region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('circuits.terminations._site_group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('circuits.terminations._site', 'dcim.site')),
    ...byIdAnd('asn', 'asn', related('asns', 'ipam.asn')),
  },
  features: [...PRIMARY, 'contacts'],
})

export const providerModel = registered(provider, {
  columns: words('name circuit_count'),
  moreColumns: { without: ['slug'], plus: ['accounts'] },
  panels: words('name asns description'),
  tables: [
    { model: 'circuits.provideraccount', by: { provider_id: 'id' } },
    { model: 'circuits.circuit', by: { provider_id: 'id' } },
  ],
  form: words('name slug asns description tags'),
  filters: { Location: words('region_id site_group_id site_id'), ASN: ['asn_id'] },
  imports: { without: ['asns'] },
  search: { weights: { slug: null }, shown: ['description'] },
})
