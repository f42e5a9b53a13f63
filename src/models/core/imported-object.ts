import { integer, json, objectType, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * An object of another service, or of a data set, and its counterpart here. The imports of the same source follow it;
 * see src/transfer/counterparts/.
 */
export const importedObject = model({
  name: 'core.importedobject',
  labels: ['imported object', 'imported objects'],
  page: false,

  fields: {
    /** Address of the service, or name of the data set. */
    source: text({ max: 500 }),
    object_type: objectType({}),
    source_id: integer({ size: 'big' }),
    local_id: integer({ size: 'big' }),
    /** Short hashes of the values at the source, by field, as they were last taken over. Null: never followed. */
    digests: json({ nullable: true }),
  },

  display: '{object_type} {source_id}',
  brief: ['id', 'display'],
  order: ['id'],
  unique: [{ fields: ['source', 'object_type', 'source_id'] }],
  indexes: [{ fields: ['object_type', 'local_id'] }],
  private: true,
  internal: true,
  isShared: true,
})
