import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, foreignKey, integer, list, objectType, text } from '../../schema/field.ts'
import { objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { isSharedOrOwn, usableFilter } from './saved-filter.ts'

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

const COLUMN = /^[a-z_][a-z0-9_.]*$/i

const namesColumns: Rule<typeof tableConfig.fields> = ({ next }) => {
  const stranger = next.columns.find((name) => !COLUMN.test(String(name)))
  if (stranger !== undefined) return { columns: `Unknown column: ${stranger}` }
  const order = (next.ordering ?? []).map((name) => String(name).replace(/^-/, ''))
  const strangeOrder = order.find((name) => !COLUMN.test(name))
  return strangeOrder === undefined ? undefined : { ordering: `Unknown column: ${strangeOrder}` }
}

export const tableConfigModel = registered(tableConfig, {
  behaviour: rulesFor(tableConfig, namesColumns),
  columns: words('name object_type table user description enabled shared'),
  moreColumns: { without: words('columns ordering') },
  labels: { object_type: 'Object Type', table: 'Table Name' },
  formLabels: { columns: 'Selected columns' },
  panels: {
    'Table Config': words('name description object_type table user enabled shared weight'),
  },
  cloned: words('object_type table enabled shared columns ordering'),
  form: words('object_type table name description weight enabled shared columns ordering'),
  imports: { plus: ['user'] },
  filters: { Attributes: words('object_type_id enabled shared weight') },
  bulkEdit: words('description weight enabled shared'),
})
