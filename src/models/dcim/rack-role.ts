import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { color, relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** What a rack is for. */
export const rackRole = model({
  name: 'dcim.rackrole',
  path: 'dcim/rack-roles',
  labels: ['rack role', 'rack roles'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    color: color({ default: '9e9e9e' }),
    description,
    owner,
    comments,
    ...housekeeping,
    rack_count: relatedCount('dcim.rack', 'role'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'rack_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
