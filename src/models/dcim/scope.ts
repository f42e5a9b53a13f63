import { foreignKey } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree } from '../../schema/filter.ts'

/** Models that a scope may refer to. */
export const SCOPES = ['dcim.location', 'dcim.region', 'dcim.site', 'dcim.sitegroup'] as const

/**
 * Places derived from a scope, so that filters need no join through a generic relation: a location's site, a site's
 * region and group.
 */
export const scopeCache = {
  _location: foreignKey('dcim.location', { onDelete: 'cascade', nullable: true, hidden: true }),
  _site: foreignKey('dcim.site', { onDelete: 'cascade', nullable: true, hidden: true }),
  _region: foreignKey('dcim.region', { onDelete: 'setNull', hidden: true }),
  _site_group: foreignKey('dcim.sitegroup', { onDelete: 'setNull', hidden: true }),
}

export const scopeFilters = {
  ...byIdAnd('slug', 'region', relatedTree('_region', 'dcim.region')),
  ...byIdAnd('slug', 'site_group', relatedTree('_site_group', 'dcim.sitegroup')),
  ...byIdAnd('slug', 'site', related('_site', 'dcim.site')),
  ...byIdAnd('slug', 'location', relatedTree('_location', 'dcim.location')),
}
