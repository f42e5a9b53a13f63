import { fieldGroup, modelView } from '../../schema/view.ts'

export const scriptModuleView = modelView('extras.scriptmodule', {
  columns: ['display'],
  panels: [[fieldGroup('Script module', ['file_path'])]],
  form: [fieldGroup('Data Source', ['data_source', 'data_file', 'auto_sync_enabled'])],
  narrowedBy: { data_file: { source_id: 'data_source' } },
})
