import { words } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** The responsibility of a contact. */
export const contactRole = organizational({
  name: 'tenancy.contactrole',
  path: 'tenancy/contact-roles',
  labels: ['contact role', 'contact roles'],
})

export const contactRoleModel = organizationalModel(contactRole, {
  moreColumns: words('comments slug tags created last_updated id owner.group owner'),
})
