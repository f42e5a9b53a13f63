import { organizational } from '../organizational.ts'

/** The responsibility of a contact. */
export const contactRole = organizational({
  name: 'tenancy.contactrole',
  path: 'tenancy/contact-roles',
  labels: ['contact role', 'contact roles'],
})
