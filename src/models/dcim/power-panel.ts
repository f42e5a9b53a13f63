import { comments, description, owner, PRIMARY, timestamps } from '../../schema/common.ts'
import { customFields, foreignKey, relatedCount, tags, text } from '../../schema/field.ts'
import { byIdAnd, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** A distribution board in a site. */
export const powerPanel = model({
  name: 'dcim.powerpanel',
  path: 'dcim/power-panels',
  labels: ['power panel', 'power panels'],

  fields: {
    site: foreignKey('dcim.site'),
    location: foreignKey('dcim.location', { nullable: true, resetOnPut: true, filter: false }),
    name: text({ max: 100, collation: 'natural' }),
    description,
    owner,
    comments,
    tags: tags(),
    custom_fields: customFields(),
    powerfeed_count: relatedCount('dcim.powerfeed', 'power_panel'),
    ...timestamps,
  },

  graphql: { back: { site: 'powerpanel_set', location: 'powerpanel_set' } },
  brief: ['id', 'url', 'display', 'name', 'description', 'powerfeed_count'],
  order: ['site', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['site', 'name'] }],

  filters: {
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
    location_id: relatedTree('location', 'dcim.location'),
  },
  features: [...PRIMARY, 'contacts', 'imageAttachments'],
})
