import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** The responsibility of a contact. */
export const contactRole = organizational({
  name: 'tenancy.contactrole',
  path: 'tenancy/contact-roles',
  labels: ['contact role', 'contact roles'],
})

export const contactRoleModel = organizationalModel(contactRole, {})
