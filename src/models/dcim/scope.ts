import { foreignKey } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree } from '../../schema/filter.ts'
import type { Read, Refusal } from '../../schema/rule.ts'
import { location } from './location.ts'
import { site } from './site.ts'

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

/** The places derived from a scope; see `scopeCache`. */
interface Places {
  readonly _location: number | null
  readonly _site: number | null
  readonly _region: number | null
  readonly _site_group: number | null
}

const NOWHERE: Places = { _location: null, _site: null, _region: null, _site_group: null }

/** Places of the object `type` with the id, which must exist. NetBox 4.6.8 dcim/models/mixins.py. */
export async function scopePlaces(read: Read, type: string | null, id: number | null): Promise<Places> {
  if (type === null || id === null) return NOWHERE
  if (type === 'dcim.region') return { ...NOWHERE, _region: id }
  if (type === 'dcim.sitegroup') return { ...NOWHERE, _site_group: id }
  if (type !== 'dcim.site' && type !== 'dcim.location') return NOWHERE
  const siteId = type === 'dcim.site' ? id : (await read.get(location, id)).site
  const { region, group } = await read.get(site, siteId)
  return {
    _location: type === 'dcim.location' ? id : null,
    _site: siteId,
    _region: region,
    _site_group: group,
  }
}

/** Sets the places derived from the scope, for models with a scope. */
export const fillScopePlaces = ({
  next,
  read,
}: {
  readonly next: { readonly scope_type: string | null; readonly scope_id: number | null }
  readonly read: Read
}): Promise<Places> => scopePlaces(read, next.scope_type, next.scope_id)

/** An incomplete scope is an error of the object as a whole; other generic relations report the missing field. */
export const scopeTypeNeedsObject = ({
  next,
}: {
  readonly next: { readonly scope_type: string | null; readonly scope_id: number | null }
}): Refusal | undefined =>
  next.scope_type !== null && next.scope_id === null ? { __all__: 'A scope type needs a scope.' } : undefined
