import { words } from '../../schema/view.ts'
import { nestedGroupView } from '../organizational-view.ts'

export const contactGroupView = nestedGroupView('tenancy.contactgroup', {
  heading: 'Contact Group',
  counts: { contact_count: 'Contacts' },
  moreColumns: words('parent comments slug tags created last_updated id owner.group owner'),
})
