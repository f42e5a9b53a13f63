import { related } from '../../schema/filter.ts'

/** Filters of every model with an owner, beyond `owner_id`, which the field brings. */
export const ownerFilters = {
  owner_group_id: related('owner.group', 'users.ownergroup'),
  owner_group: related('owner.group', 'users.ownergroup', 'name'),
  owner: related('owner', 'users.owner', 'name'),
}
