import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { json, objectType, slug, text } from '../../schema/field.ts'
import { objectTypeFilter } from '../../schema/filter.ts'
import { isJsonObject } from '../../schema/json.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'

/**
 * The objects of one type that match filters, under a name. Whether the filters exist, and who may change them, is
 * checked by write/validate/dynamic-groups.ts.
 */
export const dynamicGroup = model({
  name: 'extras.dynamicgroup',
  // Two writes at once could make groups contain each other.
  lock: 'extras.dynamicgroup',
  path: 'extras/dynamic-groups',
  labels: ['dynamic group', 'dynamic groups'],
  about: 'All objects of a type that match filters, now and in future, under one name.',

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    object_type: objectType({ filter: false, example: 'dcim.site' }),
    parameters: json({
      example: { status: ['active'] },
      help: 'Filters of the list of the object type, by name, each with a value or a list of values',
    }),
    comments,
    owner,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  graphql: false,
  order: ['name'],
  search: ['name', 'slug', 'description', 'comments'],

  filters: {
    object_type_id: objectTypeFilter('object_type', { byId: true }),
    object_type: objectTypeFilter('object_type', { textLookups: true }),
  },
  features: PRIMARY,
})

const holdsParameters: Rule<typeof dynamicGroup.fields> = ({ next }) =>
  isJsonObject(next.parameters) && Object.keys(next.parameters).length > 0
    ? undefined
    : { parameters: 'Parameters must be an object of filters and their values.' }

export const dynamicGroupModel = registered(dynamicGroup, {
  behaviour: rulesFor(dynamicGroup, holdsParameters),
  columns: words('name object_type description tags'),
  moreColumns: { without: ['owner.group'], plus: ['parameters'] },
  panels: { 'Dynamic Group': words('name object_type description') },
  // The page says the filters in words.
  shownElsewhere: ['parameters'],
  cloned: words('object_type parameters'),
  form: {
    'Dynamic Group': words('name slug object_type description tags'),
    Parameters: ['parameters'],
  },
  filters: { '': ['tag_id'], Attributes: ['object_type_id'] },
  bulkEdit: words('owner description comments'),
})
