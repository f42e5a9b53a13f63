import { organizationalView } from '../organizational-view.ts'

export const contactRoleView = organizationalView('tenancy.contactrole', {
  heading: 'Contact Role',
  moreColumns: [
    'comments',
    'slug',
    'tags',
    'created',
    'last_updated',
    'id',
    'owner.group',
    'owner',
  ],
})
