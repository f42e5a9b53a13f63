import { dateTime, foreignKey, integer, text } from '../../schema/field.ts'
import { custom, numberFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'

/** Files have no change records, so the filter by request matches nothing. */
const neverWritten = custom({ value: 'uuid', multiple: false, where: () => sql`false` })

/** A file fetched from a data source. */
export const dataFile = model({
  name: 'core.datafile',
  path: 'core/data-files',
  labels: ['data file', 'data files'],

  fields: {
    source: foreignKey('core.datasource', {
      onDelete: 'cascade',
      related: 'datafiles',
      readOnly: true,
    }),
    path: text({ max: 1000, readOnly: true }),
    last_updated: dateTime({ readOnly: true, auto: 'save' }),
    size: integer({ unit: 'bytes', range: [0, 2147483647], readOnly: true }),
    hash: text({ max: 64, readOnly: true }),
    created: dateTime({ hidden: true, readOnly: true, auto: 'insert' }),
    data: text({ default: '', hidden: true }),
  },

  display: '{path}',
  brief: ['id', 'url', 'display', 'path'],
  order: ['source', 'path'],
  search: ['path'],
  unique: [{ fields: ['source', 'path'] }],

  filters: {
    created: numberFilter('created', 'dateTime'),
    source: related('source', 'core.datasource', 'name'),
    created_by_request: neverWritten,
    updated_by_request: neverWritten,
    modified_by_request: neverWritten,
  },
  methods: ['GET'],
})

export const dataFileModel = registered(dataFile, {
  context: ['source'],
  columns: words('source path size last_updated'),
  moreColumns: { plus: ['hash'] },
  panels: { 'Data File': words('source path last_updated size hash') },
  filters: { File: ['source_id'] },
  search: { weights: { path: 200 }, shown: ['source'] },
})
