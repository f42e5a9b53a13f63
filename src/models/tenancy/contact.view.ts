import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const contactView = modelView('tenancy.contact', {
  context: ['groups'],
  columns: ['name', 'groups', 'title', 'phone', 'email'],
  moreColumns: words(
    'address link description comments tags created last_updated id owner.group owner',
  ),
  panels: [[fieldGroup('Contact', 'groups name title phone email address link description')]],
  tables: [{ model: 'tenancy.contactassignment', by: { contact_id: 'id' }, label: 'Assignments' }],
  cloned: ['groups'],
  form: [fieldGroup('Contact', 'groups name title phone email address link description tags')],
  filters: [fieldGroup('Contact', ['group_id'])],
  bulkEdit: [
    fieldGroup('', ['title', 'phone', 'email', 'address', 'link', 'description']),
    fieldGroup('Groups', ['groups']),
  ],
  imports: words(
    'name title phone email address link groups.name description owner.name comments tags.slug',
  ),
  search: {
    weights: {
      name: 100,
      title: 300,
      phone: 300,
      email: 300,
      address: 300,
      link: 300,
      description: 500,
      comments: 5000,
    },
    shown: ['title', 'phone', 'email', 'description'],
  },
})
