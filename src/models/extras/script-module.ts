import { choices } from '../../schema/choices.ts'
import { boolean, choice, dateTime, foreignKey, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'

const managedFileRootPath = choices([
  ['scripts', 'Scripts'],
  ['reports', 'Reports'],
])

/** A file that contains scripts. */
export const scriptModule = model({
  name: 'extras.scriptmodule',
  path: 'extras/scripts/upload',
  page: false,
  labels: ['script module', 'script modules'],
  table: 'core_managedfile',

  fields: {
    file_path: text({ max: 100, readOnly: true, filter: false }),
    created: dateTime({ readOnly: true, auto: 'insert', filter: false }),
    last_updated: dateTime({ nullable: true, readOnly: true, filter: false }),
    data_source: foreignKey('core.datasource', { related: '+', nullable: true, hidden: true }),
    data_file: foreignKey('core.datafile', { onDelete: 'setNull', related: '+', hidden: true }),
    data_path: text({ max: 1000, default: '', hidden: true }),
    auto_sync_enabled: boolean({ default: false, hidden: true }),
    data_synced: dateTime({ nullable: true, hidden: true }),
    file_root: choice(managedFileRootPath, { hidden: true, max: 1000 }),
  },

  display: (column) => sql`regexp_replace(${column('file_path')}, '\\.[^.]*$', '')`,
  graphql: false,
  brief: ['id', 'display'],
  answer: ['id', 'display', 'file_path', 'created', 'last_updated'],
  naturalKey: ['file_path'],
  order: ['file_root', 'file_path'],
  features: ['jobs', 'syncedData'],
  methods: ['POST', 'PUT', 'PATCH'],
  private: true,
})

export const scriptModuleModel = registered(scriptModule, {
  columns: ['display'],
  panels: ['file_path'],
  form: { 'Data Source': words('data_source data_file auto_sync_enabled') },
  bulkEdit: [],
  moreColumns: { plus: ['file_path'] },
  narrowedBy: { data_file: { source_id: 'data_source' } },
})
