import { related, relatedTree } from '../../schema/filter.ts'

/** Filters of every model to which contacts may be assigned. All three take ids. */
export const contactFilters = {
  contact: related('contacts.contact', 'tenancy.contact'),
  contact_role: related('contacts.role', 'tenancy.contactrole'),
  contact_group: relatedTree('contacts.contact.groups', 'tenancy.contactgroup'),
}
