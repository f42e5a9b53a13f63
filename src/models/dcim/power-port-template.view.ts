import { fieldGroup, modelView } from '../../schema/view.ts'

export const powerPortTemplateView = modelView('dcim.powerporttemplate', {
  context: ['device_type', 'module_type'],
  columns: ['display', 'name', 'description'],
  moreColumns: ['label', 'type', 'maximum_draw', 'allocated_draw'],
  panels: [
    [
      fieldGroup('Power port template', [
        'device_type',
        'module_type',
        'name',
        'label',
        'type',
        'maximum_draw',
        'allocated_draw',
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
      'maximum_draw',
      'allocated_draw',
      'description',
    ]),
  ],
  bulkEdit: [fieldGroup('', ['label', 'type', 'maximum_draw', 'allocated_draw', 'description'])],
})
