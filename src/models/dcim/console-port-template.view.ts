import { fieldGroup, modelView } from '../../schema/view.ts'

export const consolePortTemplateView = modelView('dcim.consoleporttemplate', {
  context: ['device_type', 'module_type'],
  columns: ['display', 'name', 'description'],
  moreColumns: ['label', 'type'],
  panels: [
    [
      fieldGroup('Console port template', [
        'device_type',
        'module_type',
        'name',
        'label',
        'type',
        'description',
      ]),
    ],
  ],
  form: [fieldGroup('', ['device_type', 'module_type', 'name', 'label', 'type', 'description'])],
  bulkEdit: [fieldGroup('', ['label', 'type'])],
})
