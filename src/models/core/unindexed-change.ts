import { boolean, json, list, objectType } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * A change that the search index does not show yet, written in the transaction of the change. The rows are deleted as their objects are
 * indexed; see src/search/.
 */
export const unindexedChange = model({
  name: 'core.unindexedchange',
  labels: ['unindexed change', 'unindexed changes'],
  page: false,

  fields: {
    object_type: objectType({}),
    /** A list of the ids of objects that were created, changed or deleted. */
    object_ids: json({}),
    /** Objects of other types may show these under another name now. */
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
