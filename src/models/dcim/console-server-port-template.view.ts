import { fieldGroup, modelView } from '../../schema/view.ts'

export const consoleServerPortTemplateView = modelView('dcim.consoleserverporttemplate', {
  context: ['device_type', 'module_type'],
  columns: ['display', 'name', 'description'],
  moreColumns: ['label', 'type'],
  panels: [
    [
      fieldGroup('Console server port template', [
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
  bulkEdit: [fieldGroup('', ['label', 'type', 'description'])],
})
