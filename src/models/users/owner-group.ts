import { description } from '../../schema/common.ts'
import { relatedCount, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

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
  features: words('bookmarks cloning customLinks eventRules exportTemplates notifications'),
  hasHistory: true,
  isShared: true,
})

export const ownerGroupModel = registered(ownerGroup, {
  columns: words('name description'),
  panels: words('name description'),
  tables: [{ model: 'users.owner', by: { group_id: 'id' }, label: 'Members' }],
  form: { 'Owner Group': words('name description') },
})
