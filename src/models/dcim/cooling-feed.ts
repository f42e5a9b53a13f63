import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, text } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { coolingCapacity, coolingStatus, dropUnits, maxFlow, measureNeedsUnit } from './cooling.ts'
import { coolingSource } from './cooling-source.ts'
import { rack } from './rack.ts'

/** A line from a cooling source, optionally to a rack. */
export const coolingFeed = model({
  name: 'dcim.coolingfeed',
  path: 'dcim/cooling-feeds',
  labels: ['cooling feed', 'cooling feeds'],
  earlier: 'absent',

  fields: {
    cooling_source: foreignKey('dcim.coolingsource', { related: 'cooling_feeds' }),
    rack: foreignKey('dcim.rack', { related: 'cooling_feeds', nullable: true, resetOnPut: true, example: null }),
    name: text({ max: 100, collation: 'natural' }),
    status: choice(coolingStatus, { default: 'active' }),
    cooling_capacity: coolingCapacity,
    ...maxFlow,
    description,
    tenant,
    owner,
    comments,
    ...housekeeping,
  },

  graphql: { enums: { status: ['CoolingFeedStatusEnum', 'STATUS'], max_flow_unit: ['FlowRateUnitEnum', 'UNIT'] } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['cooling_source', 'name'],
  search: ['comments', 'cooling_source.name', 'name', 'description'],
  unique: [{ fields: ['cooling_source', 'name'] }],
  filters: {
    ...byIdAnd('slug', 'region', relatedTree('cooling_source.site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('cooling_source.site.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('cooling_source.site', 'dcim.site')),
  },
  features: PRIMARY,
})

const rackIsInSite: Rule<typeof coolingFeed.fields> = async ({ next, read }) => {
  if (next.rack === null) return
  const [frame, source] = await Promise.all([read.get(rack, next.rack), read.get(coolingSource, next.cooling_source)])
  return frame.site === source.site
    ? undefined
    : { __all__: `${frame.display} and ${source.display} are in different sites.` }
}

export const coolingFeedModel = registered(coolingFeed, {
  behaviour: behaviour(coolingFeed, {
    modelRules: [rackIsInSite, measureNeedsUnit('max_flow')],
    beforeSave: [dropUnits('max_flow')],
  }),
  columns: words('name cooling_source rack status cooling_capacity max_flow max_flow_unit'),
  moreColumns: { without: words('tenant.group owner.group') },
  panels: words('cooling_source rack name status cooling_capacity max_flow max_flow_unit description tenant'),
  form: words('cooling_source rack name status cooling_capacity max_flow max_flow_unit description tags'),
  filters: { Location: words('region_id site_group_id site_id cooling_source_id rack_id'), Attributes: ['status'] },
  bulkEdit: { without: ['tenant'] },
  importColumns: {
    site: { to: 'dcim.site', narrows: { cooling_source: 'site', rack: 'site', location: 'site' } },
    location: { to: 'dcim.location', narrows: { rack: 'location' } },
  },
  importRequires: words('site status'),
  imports: { plus: ['site.name'] },
  search: { shown: words('cooling_source rack status description') },
})
