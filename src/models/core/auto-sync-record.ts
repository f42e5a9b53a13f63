import { foreignKey, genericForeignKey } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** An object that takes its content from a data file whenever the file changes. */
export const autoSyncRecord = model({
  name: 'core.autosyncrecord',
  labels: ['auto sync record', 'auto sync records'],
  page: false,

  fields: {
    datafile: foreignKey('core.datafile', { onDelete: 'cascade', related: '+' }),
    object: genericForeignKey(['feature:syncedData'], { nullable: false, filter: false }),
  },

  display: 'Auto sync record {id}',
  brief: ['id', 'display'],
  order: ['id'],
  unique: [{ fields: ['object_type', 'object_id'] }],
  private: true,
})
