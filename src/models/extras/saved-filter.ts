import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, foreignKey, integer, json, objectTypes, slug, text } from '../../schema/field.ts'
import { holds, objectTypeFilter, related } from '../../schema/filter.ts'
import { isJsonObject } from '../../schema/json.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** Objects that are not shared are visible to their owner only. */
export const isSharedOrOwn = (column: ColumnOf, user: number | undefined): Sql =>
  user === undefined
    ? sql`${column('shared')}`
    : sql`(${column('shared')} or ${column('user')} is not distinct from ${user}::bigint)`

/** Enabled, and shared or the requester's own. */
export const usableFilter = holds(({ column, user }) => sql`${column('enabled')} and ${isSharedOrOwn(column, user)}`)

/** A named set of filter parameters. */
export const savedFilter = model({
  name: 'extras.savedfilter',
  path: 'extras/saved-filters',
  labels: ['saved filter', 'saved filters'],
  about: 'Filters of a list under one name.',

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

const holdsParameters: Rule<typeof savedFilter.fields> = ({ next }) =>
  isJsonObject(next.parameters) && Object.keys(next.parameters).length > 0
    ? undefined
    : { parameters: 'A filter must be an object of parameters and their values.' }

export const savedFilterModel = registered(savedFilter, {
  behaviour: rulesFor(savedFilter, holdsParameters),
  columns: words('name object_types user description enabled shared'),
  moreColumns: { without: ['owner.group'], plus: ['parameters'] },
  labels: { object_types: 'Object Types' },
  panels: { 'Saved Filter': words('name description user enabled shared weight') },
  cloned: words('object_types weight enabled parameters'),
  form: {
    'Saved Filter': words('name slug object_types description weight enabled shared'),
    Parameters: ['parameters'],
  },
  filters: { Attributes: words('object_type_id enabled shared weight') },
  bulkEdit: words('owner description weight enabled shared'),
  importRequires: ['weight'],
})
