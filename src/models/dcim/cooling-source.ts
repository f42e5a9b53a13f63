import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, foreignKey, relatedCount, text } from '../../schema/field.ts'
import { byIdAnd, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import type { RegisteredModel } from '../../schema/view.ts'
import { coolingCapacity, coolingStatus } from './cooling.ts'
import { location } from './location.ts'

const sourceType = choices([
  ['chiller', 'Chiller', 'blue'],
  ['cooling-tower', 'Cooling tower', 'cyan'],
  ['dry-cooler', 'Dry cooler', 'teal'],
  ['crac', 'CRAC', 'indigo'],
  ['crah', 'CRAH', 'purple'],
])

const fluidType = choices([
  ['water', 'Water', 'blue'],
  ['water-glycol', 'Water/glycol', 'cyan'],
  ['dielectric', 'Dielectric', 'purple'],
  ['refrigerant', 'Refrigerant', 'teal'],
])

/** A plant that takes heat out of a site. */
export const coolingSource = model({
  name: 'dcim.coolingsource',
  path: 'dcim/cooling-sources',
  labels: ['cooling source', 'cooling sources'],
  earlier: 'absent',

  fields: {
    site: foreignKey('dcim.site', { related: 'cooling_sources' }),
    location: foreignKey('dcim.location', { related: 'cooling_sources', nullable: true, resetOnPut: true }),
    name: text({ max: 100, collation: 'natural' }),
    type: choice(sourceType, {}),
    status: choice(coolingStatus, { default: 'active' }),
    fluid_type: choice(fluidType, { nullable: true, blank: true }),
    cooling_capacity: coolingCapacity,
    description,
    owner,
    comments,
    ...housekeeping,
    coolingfeed_count: relatedCount('dcim.coolingfeed', 'cooling_source'),
  },

  answer: [
    ...['id', 'url', 'display_url', 'display', 'site', 'location', 'name', 'type', 'status', 'fluid_type'],
    ...['cooling_capacity', 'description', 'owner', 'comments', 'tags', 'custom_fields', 'coolingfeed_count'],
    ...['created', 'last_updated'],
  ],
  graphql: {
    enums: {
      fluid_type: ['FluidTypeEnum', 'FLUID'],
      status: ['CoolingSourceStatusEnum', 'STATUS'],
      type: ['CoolingSourceTypeEnum', 'TYPE'],
    },
  },
  brief: ['id', 'url', 'display', 'name', 'description', 'coolingfeed_count'],
  naturalKey: ['site', 'name'],
  order: ['site', 'name'],
  search: ['comments', 'name', 'description'],
  unique: [{ fields: ['site', 'name'] }],
  filters: {
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
  },
  features: [...PRIMARY, 'contacts', 'imageAttachments'],
})

const locationIsInSite: Rule<typeof coolingSource.fields> = async ({ next, read }) => {
  if (next.location === null) return
  const place = await read.get(location, next.location)
  return place.site === next.site ? undefined : { __all__: `The location ${place.display} is in another site.` }
}

export const coolingSourceModel: RegisteredModel = {
  model: coolingSource,
  behaviour: rulesFor(coolingSource, locationIsInSite),
}
