import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { email, manyToMany, text, url } from '../../schema/field.ts'
import { byIdAnd, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** A person or team to contact. */
export const contact = model({
  name: 'tenancy.contact',
  path: 'tenancy/contacts',
  labels: ['contact', 'contacts'],
  about: 'A person or a team to call about a site, a circuit or another object.',

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

  filters: { ...byIdAnd('slug', 'group', relatedTree('groups', 'tenancy.contactgroup')) },
  features: PRIMARY,
})

export const contactModel = registered(contact, {
  context: ['groups'],
  columns: words('name groups title phone email'),
  panels: words('groups name title phone email address link description'),
  tables: [{ model: 'tenancy.contactassignment', by: { contact_id: 'id' }, label: 'Assignments' }],
  cloned: ['groups'],
  form: { Contact: words('groups name title phone email address link description tags') },
  filters: { Contact: ['group_id'] },
  bulkEdit: { '': words('title phone email address link description'), Groups: ['groups'] },
  search: {
    weights: { title: 300, phone: 300, email: 300, address: 300, link: 300 },
    shown: words('title phone email description'),
  },
})
