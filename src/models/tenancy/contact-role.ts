import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** In what matter a contact is responsible. */
export const contactRole = model({
  name: 'tenancy.contactrole',
  path: 'tenancy/contact-roles',
  labels: ['contact role', 'contact roles'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    owner,
    comments,
    ...housekeeping,
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
