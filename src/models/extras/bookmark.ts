import { dateTime, foreignKey, genericForeignKey } from '../../schema/field.ts'
import { numberFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'

/** An object that a user has bookmarked. */
export const bookmark = model({
  name: 'extras.bookmark',
  path: 'extras/bookmarks',
  page: false,
  labels: ['bookmark', 'bookmarks'],

  fields: {
    object: genericForeignKey(['feature:bookmarks'], {
      nullable: false,
      related: 'bookmarks',
      listsTypes: true,
    }),
    user: foreignKey('users.user', { onDelete: 'cascade' }),
    created: dateTime({ readOnly: true, auto: 'insert' }),
  },

  display: '{object.display}',
  graphql: false,
  brief: ['id', 'url', 'display', 'object_type', 'object_id'],
  order: ['created', 'id'],
  unique: [{ fields: ['object_type', 'object_id', 'user'] }],

  filters: {
    created: numberFilter('created', 'dateTime', { plain: true, single: true }),
    object_type_id: objectTypeFilter('object_type', { byId: true, numberLookups: true }),
    user: related('user', 'users.user', 'username'),
  },
  visibleWith: { relation: 'object' },
})

export const bookmarkModel = registered(bookmark, {
  columns: words('object object_type created'),
  moreColumns: ['id'],
  labels: { object_type: 'Object Type' },
  panels: words('object_type object_id object user'),
})
