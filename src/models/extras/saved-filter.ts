import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, foreignKey, integer, json, objectTypes, slug, text } from '../../schema/field.ts'
import { objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { isSharedOrOwn, usableFilter } from './usable-filter.ts'

/** A named set of filter parameters. */
export const savedFilter = model({
  name: 'extras.savedfilter',
  path: 'extras/saved-filters',
  labels: ['saved filter', 'saved filters'],

  fields: {
    object_types: objectTypes({ filter: false }),
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    user: foreignKey('users.user', { onDelete: 'setNull', bare: true, write: 'id' }),
    weight: integer({ size: 'small', range: [0, 32767], default: 100 }),
    enabled: boolean({ default: true }),
    shared: boolean({ default: true }),
    parameters: json({}),
    owner,
    ...timestamps,
  },

  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['weight', 'name'],
  search: ['name', 'description'],

  filters: {
    object_type_id: objectTypeFilter('object_types', { byId: true }),
    object_type: objectTypeFilter('object_types', { textLookups: true }),
    user: related('user', 'users.user', 'username'),
    usable: usableFilter,
  },
  visible: isSharedOrOwn,
  features: [...LOGGED, 'cloning', 'exportTemplates'],
})
