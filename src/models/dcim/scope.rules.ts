import type { Read } from '../../schema/rule.ts'
import { location } from './location.ts'
import { site } from './site.ts'

/** The places derived from a scope; see `scopeCache`. */
interface Places {
  readonly _location: number | null
  readonly _site: number | null
  readonly _region: number | null
  readonly _site_group: number | null
}

const NOWHERE: Places = { _location: null, _site: null, _region: null, _site_group: null }

/** Places of the object `type` with the id, which must exist. NetBox 4.6.8 dcim/models/mixins.py. */
export async function scopePlaces(
  read: Read,
  type: string | null,
  id: number | null,
): Promise<Places> {
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
