import { fieldGroup, modelView } from '../../schema/view.ts'

export const rearPortTemplateView = modelView('dcim.rearporttemplate', {
  context: ['device_type', 'module_type'],
  columns: ['display', 'name', 'description'],
  moreColumns: ['label', 'type', 'color', 'positions'],
  panels: [
    [
      fieldGroup('Rear port template', [
        'device_type',
        'module_type',
        'name',
        'label',
        'type',
        'color',
        'positions',
        'front_ports',
        'description',
      ]),
    ],
  ],
  form: [
    fieldGroup('', [
      'device_type',
      'module_type',
      'name',
      'label',
      'type',
      'color',
      'positions',
      'description',
    ]),
  ],
  bulkEdit: [fieldGroup('', ['label', 'type', 'color', 'description'])],
})
