import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { email, manyToMany, text, url } from '../../schema/field.ts'
import { byIdAnd, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { fieldGroup, modelView, words } from '../../schema/view.ts'

/** A person or team to contact. */
export const contact = model({
  name: 'tenancy.contact',
  path: 'tenancy/contacts',
  labels: ['contact', 'contacts'],

  fields: {
    groups: manyToMany('tenancy.contactgroup', { related: 'contacts' }),
    name: text({ max: 100, collation: 'natural' }),
    title: text({ max: 100, default: '' }),
    phone: text({ max: 50, default: '' }),
    email: email({ max: 254, default: '' }),
    address: text({ max: 200, default: '' }),
    link: url({ max: 200, default: '' }),
    description,
    owner,
    comments,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  naturalKey: ['name'],
  order: ['name'],
  search: ['comments', 'description', 'link', 'address', 'email', 'phone', 'name', 'title'],

  filters: {
    ...byIdAnd('slug', 'group', relatedTree('groups', 'tenancy.contactgroup')),
  },
  features: PRIMARY,
})

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
