import { fieldGroup, modelView } from '../../schema/view.ts'

export const tableConfigView = modelView('extras.tableconfig', {
  columns: ['name', 'object_type', 'table', 'user', 'description', 'enabled', 'shared'],
  moreColumns: ['id', 'weight', 'created', 'last_updated'],
  labels: { object_type: 'Object Type', table: 'Table Name' },
  formLabels: { columns: 'Selected columns' },
  panels: [
    [fieldGroup('Table Config', 'name description object_type table user enabled shared weight')],
  ],
  cloned: ['object_type', 'table', 'enabled', 'shared', 'columns', 'ordering'],
  form: [
    fieldGroup('', 'object_type table name description weight enabled shared columns ordering'),
  ],
  filters: [fieldGroup('Attributes', ['object_type_id', 'enabled', 'shared', 'weight'])],
  bulkEdit: [fieldGroup('', ['description', 'weight', 'enabled', 'shared'])],
})
