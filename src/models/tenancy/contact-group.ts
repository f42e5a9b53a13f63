import { subtreeCount } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { nestedGroup } from '../nested-group.ts'
import { nestedGroupModel } from '../organizational-view.ts'

/** A group of contacts. Groups form a tree. */
export const contactGroup = nestedGroup({
  name: 'tenancy.contactgroup',
  path: 'tenancy/contact-groups',
  labels: ['contact group', 'contact groups'],

  counts: {
    contact_count: subtreeCount('tenancy.contact', 'groups'),
  },
  unique: [{ fields: ['parent', 'name'] }],
  naturalKey: ['parent', 'name'],
  filters: { contact_id: related('contacts', 'tenancy.contact') },
})

export const contactGroupModel = nestedGroupModel(contactGroup, {
  counts: ['contact_count'],
})
