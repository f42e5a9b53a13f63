import { boolean, integer, json, list, objectType, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * One searched value of an object, for the global search. It is written after the commit that changed the object
 * (`core.unindexedchange`), at the latest when a search needs it. It can be recomputed from the objects at any time;
 * see src/read/search/.
 */
export const searchEntry = model({
  name: 'core.searchentry',
  labels: ['search entry', 'search entries'],
  page: false,

  fields: {
    object_type: text({ max: 200 }),
    object_id: integer({ size: 'big' }),
    /** The object's field, `cf_` and the name of a custom field, or `display`. */
    field: text({ max: 200 }),
    /** Kind of the field; only the beginnings and ends of texts are searched. */
    kind: text({ max: 30 }),
    value: text({}),
    /** Matches with lower weights are listed first. */
    weight: integer({ size: 'small' }),
  },

  display: '{value}',
  brief: ['id', 'display'],
  order: ['id'],
  indexes: [
    { fields: ['object_type', 'object_id'] },
    // For terms that match very many entries: the best ones are read first.
    { fields: ['weight', 'object_type'] },
    { partsOf: 'value' },
  ],
  private: true,
  internal: true,
  transient: true,
})

/**
 * The fields of a model that have been indexed for the global search; if the declared ones differ, the next start
 * indexes them.
 */
export const searchIndex = model({
  name: 'core.searchindex',
  labels: ['search index', 'search indexes'],
  page: false,

  fields: {
    object_type: text({ max: 200, unique: true }),
    /** The weights of its fields. */
    signature: text({}),
  },

  display: '{object_type}',
  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  internal: true,
  transient: true,
})

/**
 * A change that the search index does not show yet, written in the transaction of the change. The rows are deleted as
 * their objects are indexed; see src/read/search/.
 */
export const unindexedChange = model({
  name: 'core.unindexedchange',
  labels: ['unindexed change', 'unindexed changes'],
  page: false,

  fields: {
    object_type: objectType({}),
    /** A list of the ids of objects that were created, changed or deleted. */
    object_ids: json({}),
    /** Objects of other types may now display these under another name. */
    is_renamed: boolean({ default: false }),
    /** Names of custom fields whose values are to be indexed again, of all objects of the type. */
    custom_fields: list('text', {}),
  },

  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  internal: true,
  transient: true,
})
