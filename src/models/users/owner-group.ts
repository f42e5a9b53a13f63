import { description } from '../../schema/common.ts'
import { relatedCount, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A group of owners. */
export const ownerGroup = model({
  name: 'users.ownergroup',
  path: 'users/owner-groups',
  labels: ['owner group', 'owner groups'],

  fields: {
    name: text({ max: 100, unique: true }),
    description,
    member_count: relatedCount('users.owner', 'group'),
  },

  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['name', 'description'],
  features: [
    'bookmarks',
    'cloning',
    'customLinks',
    'eventRules',
    'exportTemplates',
    'notifications',
  ],
  hasHistory: true,
})
