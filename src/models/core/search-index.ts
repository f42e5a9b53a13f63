import { text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** The fields of a model that have been indexed for the global search; where others are declared, the next start indexes them. */
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
