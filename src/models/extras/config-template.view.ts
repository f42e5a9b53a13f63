import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const configTemplateView = modelView('extras.configtemplate', {
  columns: ['name', 'description'],
  moreColumns: words(`
    id data_source data_file data_synced as_attachment debug mime_type file_name file_extension
    created last_updated tags auto_sync_enabled owner
  `),
  labels: {
    data_source: 'Data Source',
    data_file: 'Data File',
    as_attachment: 'As Attachment',
    mime_type: 'MIME Type',
    file_name: 'File Name',
    file_extension: 'File Extension',
    auto_sync_enabled: 'Auto Sync Enabled',
  },
  formLabels: { data_file: 'File' },
  panels: [
    [
      fieldGroup(
        'Config Template',
        `
          name description mime_type file_name file_extension as_attachment debug data_source
          data_path data_synced auto_sync_enabled
        `,
      ),
    ],
  ],
  form: [
    fieldGroup('Config Template', ['name', 'description', 'tags', 'template_code']),
    fieldGroup('Data Source', ['data_source', 'data_file', 'auto_sync_enabled']),
    fieldGroup(
      'Rendering',
      'mime_type file_name file_extension environment_params as_attachment debug',
    ),
  ],
  narrowedBy: { data_file: { source_id: 'data_source' } },
  filters: [
    fieldGroup('Data', ['data_source_id', 'data_file_id', 'auto_sync_enabled']),
    fieldGroup('Rendering', ['mime_type', 'file_name', 'file_extension', 'as_attachment', 'debug']),
  ],
  bulkEdit: [
    fieldGroup(
      '',
      'owner description mime_type file_name file_extension as_attachment debug auto_sync_enabled',
    ),
  ],
  imports: words(`
    name description template_code data_source.name data_file.path auto_sync_enabled
    environment_params mime_type file_name file_extension as_attachment debug owner.name tags
  `),
})
