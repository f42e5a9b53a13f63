import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const configContextProfileView = modelView('extras.configcontextprofile', {
  columns: ['name', 'description'],
  moreColumns: words(
    'id comments data_source data_file tags created last_updated owner.group owner',
  ),
  labels: { data_source: 'Data Source', data_file: 'Data File' },
  formLabels: { data_file: 'File' },
  panels: [[fieldGroup('Config Context Profile', ['name', 'description'])]],
  cloned: ['schema'],
  form: [
    fieldGroup('Config Context Profile', ['name', 'description', 'schema', 'tags']),
    fieldGroup('Data Source', ['data_source', 'data_file', 'auto_sync_enabled']),
  ],
  narrowedBy: { data_file: { source_id: 'data_source' } },
  filters: [fieldGroup('Data', ['data_source_id', 'data_file_id'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'description', 'schema', 'owner.name', 'comments', 'tags.slug'],
  search: { weights: { name: 100, description: 500, comments: 5000 }, shown: ['description'] },
})
