import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, foreignKey, integer, json, list, manyToMany, objectType, text } from '../../schema/field.ts'
import { holds, objectTypeFilter } from '../../schema/filter.ts'
import { isJsonObject } from '../../schema/json.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { isSharedOrOwn } from './saved-filter.ts'

/** A view that is not shared is visible to its owner, and to the members of its groups. */
const isSharedOwnOrOfGroup = (column: ColumnOf, user: number | undefined): Sql =>
  user === undefined
    ? isSharedOrOwn(column, user)
    : sql`(${isSharedOrOwn(column, user)} or exists (
        select from ${table('extras.savedview.groups')} g join ${table('users.user.groups')} m on m.group_id = g.group_id
        where g.savedview_id = ${column('id')} and m.user_id = ${user}::bigint))`

/** A list as a person wants to see it again: its filters, columns, order and groups under one name. */
export const savedView = model({
  name: 'extras.savedview',
  path: 'extras/saved-views',
  labels: ['saved view', 'saved views'],

  fields: {
    object_type: objectType({}),
    name: text({ max: 100 }),
    description,
    user: foreignKey('users.user', { onDelete: 'setNull', nullable: true, related: '+', defaultFrom: 'user' }),
    groups: manyToMany('users.group', { related: 'saved_views' }),
    weight: integer({ size: 'small', range: [0, 32767], default: 100 }),
    shared: boolean({ default: false }),
    /** The query of the list: filters, `ordering`, and `group_by`. */
    parameters: json({ default: {} }),
    columns: list('text', { max: 100, example: ['name'] }),
    ...timestamps,
  },

  graphql: false,
  brief: ['id', 'url', 'display', 'object_type', 'name', 'description'],
  order: ['weight', 'name'],
  search: ['name', 'description'],

  filters: {
    object_type_id: objectTypeFilter('object_type', { byId: true }),
    usable: holds(({ column, user }) => isSharedOwnOrOfGroup(column, user)),
  },
  visible: isSharedOwnOrOfGroup,
  features: [...LOGGED, 'cloning'],
})

const holdsParameters: Rule<typeof savedView.fields> = ({ next }) =>
  isJsonObject(next.parameters)
    ? undefined
    : { parameters: 'A view must have an object of parameters and their values.' }

export const savedViewModel = registered(savedView, {
  behaviour: rulesFor(savedView, holdsParameters),
  columns: words('name object_type user shared groups description'),
  panels: { 'Saved View': words('name description object_type user shared groups weight') },
  cloned: words('object_type shared groups parameters columns'),
  form: { 'Saved View': words('object_type name description shared groups weight') },
  // Those of the list when the view is saved there. In a form they would be JSON and names of fields.
  setElsewhere: { parameters: 'the list of the view', columns: 'the list of the view' },
  filters: { Attributes: words('object_type_id shared user_id') },
  bulkEdit: words('description weight shared'),
})
