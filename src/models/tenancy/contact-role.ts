import { organizational } from '../organizational.ts'

/** In what matter a contact is responsible. */
export const contactRole = organizational({
  name: 'tenancy.contactrole',
  path: 'tenancy/contact-roles',
  labels: ['contact role', 'contact roles'],
})
