import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, foreignKey, integer, list, objectType, text } from '../../schema/field.ts'
import { objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { isSharedOrOwn, usableFilter } from './usable-filter.ts'

/** A named choice of columns and order of a table. */
export const tableConfig = model({
  name: 'extras.tableconfig',
  path: 'extras/table-configs',
  labels: ['table config', 'table configs'],

  fields: {
    object_type: objectType({}),
    table: text({ max: 100 }),
    name: text({ max: 100 }),
    description,
    user: foreignKey('users.user', { onDelete: 'setNull', bare: true, write: 'id' }),
    weight: integer({ size: 'small', range: [0, 32767], default: 1000 }),
    enabled: boolean({ default: true }),
    shared: boolean({ default: true }),
    columns: list('text', { max: 100, example: ['name'] }),
    ordering: list('text', { nullable: true, max: 100, blank: true, example: ['name'] }),
    ...timestamps,
  },

  brief: ['id', 'url', 'display', 'object_type', 'table', 'name', 'description'],
  order: ['weight', 'name'],
  search: ['table', 'name', 'description'],

  filters: {
    object_type_id: objectTypeFilter('object_type', { byId: true }),
    user: related('user', 'users.user', 'username'),
    usable: usableFilter,
  },
  visible: isSharedOrOwn,
  features: [...LOGGED, 'cloning'],
})
