import { comments, description, owner, PRIMARY, timestamps } from '../../schema/common.ts'
import { customFields, foreignKey, relatedCount, tags, text } from '../../schema/field.ts'
import { byIdAnd, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { location } from './location.ts'

/** A distribution board in a site. */
export const powerPanel = model({
  name: 'dcim.powerpanel',
  path: 'dcim/power-panels',
  labels: ['power panel', 'power panels'],
  about: 'A distribution board from which power feeds lead to racks.',

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

const locationIsInSite: Rule<typeof powerPanel.fields> = async ({ next, read }) => {
  if (next.location === null) return
  const place = await read.get(location, next.location)
  return place.site === next.site ? undefined : { __all__: `${place.display} is a location of another site.` }
}

export const powerPanelModel = registered(powerPanel, {
  behaviour: rulesFor(powerPanel, locationIsInSite),
  context: words('site location'),
  columns: words('name site location powerfeed_count'),
  panels: words('site location description'),
  tables: [{ model: 'dcim.powerfeed', by: { power_panel_id: 'id' }, isShownEmpty: true }],
  form: { 'Power Panel': words('site location name description tags') },
  narrowedBy: { location: { site_id: 'site' } },
  filters: { Location: words('region_id site_group_id site_id location_id') },
  search: { shown: words('site location description') },
})
