import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const exportTemplateView = modelView('extras.exporttemplate', {
  columns: words('name object_types description mime_type file_name file_extension as_attachment'),
  moreColumns: words('id data_source data_file data_synced created last_updated owner'),
  labels: {
    object_types: 'Object Types',
    mime_type: 'MIME Type',
    file_name: 'File Name',
    file_extension: 'File Extension',
    as_attachment: 'As Attachment',
    data_source: 'Data Source',
    data_file: 'Data File',
  },
  formLabels: { data_file: 'File' },
  panels: [
    [
      fieldGroup(
        'Export Template',
        'name description mime_type file_name file_extension as_attachment',
      ),
    ],
  ],
  cloned: words('object_types template_code mime_type file_name file_extension as_attachment'),
  form: [
    fieldGroup('Export Template', ['name', 'object_types', 'description', 'template_code']),
    fieldGroup('Data Source', ['data_source', 'data_file', 'auto_sync_enabled']),
    fieldGroup('Rendering', 'mime_type file_name file_extension environment_params as_attachment'),
  ],
  narrowedBy: { data_file: { source_id: 'data_source' } },
  filters: [
    fieldGroup('', ['object_type_id']),
    fieldGroup('Data', ['data_source_id', 'data_file_id']),
    fieldGroup('Rendering', ['mime_type', 'file_name', 'file_extension', 'as_attachment']),
  ],
  bulkEdit: [fieldGroup('', 'owner description mime_type file_name file_extension as_attachment')],
  imports: words(`
    name object_types description environment_params mime_type file_name file_extension
    as_attachment template_code owner.name
  `),
})
