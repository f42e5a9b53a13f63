import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const journalEntryView = modelView('extras.journalentry', {
  context: ['assigned_object'],
  columns: ['created', 'created_by', 'assigned_object_type', 'assigned_object', 'kind', 'comments'],
  moreColumns: ['id', 'tags'],
  labels: {
    assigned_object_type: 'Object Type',
    assigned_object: 'Object',
    comments: 'Comments (Short)',
  },
  panels: [[fieldGroup('Journal Entry', ['assigned_object', 'created', 'created_by', 'kind'])]],
  form: [fieldGroup('', ['kind']), fieldGroup('', ['tags', 'comments'])],
  filters: [
    fieldGroup('Creation', ['created_before', 'created_after', 'created_by_id']),
    fieldGroup('Attributes', ['assigned_object_type_id', 'kind']),
  ],
  bulkEdit: [fieldGroup('', ['kind', 'comments'])],
  importRequires: ['assigned_object_type', 'assigned_object_id', 'kind'],
  imports: words('assigned_object_type assigned_object_id created_by.id kind comments tags.slug'),
  search: { weights: { comments: 5000 }, shown: ['kind', 'created_by'] },
})
