import { foreignKey } from '../../schema/field.ts'
import { related, relatedTree } from '../../schema/filter.ts'

/** What a scope may be. */
export const SCOPES = ['dcim.location', 'dcim.region', 'dcim.site', 'dcim.sitegroup'] as const

/**
 * The places that follow from a scope, so that filters need not look through a generic relation: a
 * location's site, a site's region and group.
 */
export const scopeCache = {
  _location: foreignKey('dcim.location', { onDelete: 'cascade', nullable: true, hidden: true }),
  _site: foreignKey('dcim.site', { onDelete: 'cascade', nullable: true, hidden: true }),
  _region: foreignKey('dcim.region', { onDelete: 'setNull', nullable: true, hidden: true }),
  _site_group: foreignKey('dcim.sitegroup', { onDelete: 'setNull', nullable: true, hidden: true }),
}

export const scopeFilters = {
  region_id: relatedTree('_region', 'dcim.region'),
  region: relatedTree('_region', 'dcim.region', 'slug'),
  site_group_id: relatedTree('_site_group', 'dcim.sitegroup'),
  site_group: relatedTree('_site_group', 'dcim.sitegroup', 'slug'),
  site_id: related('_site', 'dcim.site'),
  site: related('_site', 'dcim.site', 'slug'),
  location_id: relatedTree('_location', 'dcim.location'),
  location: relatedTree('_location', 'dcim.location', 'slug'),
}
