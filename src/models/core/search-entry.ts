import { integer, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * One searched value of an object, for the global search: written after the commit that changed the object (`core.unindexedchange`), at the
 * latest when a search needs it. It can be computed from the objects at any time; see src/search/.
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
    /** Kind of the field; values of other kinds than text have no beginning or end that is searched. */
    kind: text({ max: 30 }),
    value: text({}),
    /** The lower, the earlier a match is listed. */
    weight: integer({ size: 'small' }),
  },

  display: '{value}',
  brief: ['id', 'display'],
  order: ['id'],
  indexes: [
    { fields: ['object_type', 'object_id'] },
    // For terms that match very many entries: the best are read first.
    { fields: ['weight', 'object_type'] },
    { partsOf: 'value' },
  ],
  private: true,
  internal: true,
  transient: true,
})
