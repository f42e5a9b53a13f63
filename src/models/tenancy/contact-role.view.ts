import { words } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const contactRoleView = organizationalView('tenancy.contactrole', {
  heading: 'Contact Role',
  moreColumns: words('comments slug tags created last_updated id owner.group owner'),
})
