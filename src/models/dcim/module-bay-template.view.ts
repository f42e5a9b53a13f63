import { fieldGroup, modelView } from '../../schema/view.ts'

export const moduleBayTemplateView = modelView('dcim.modulebaytemplate', {
  context: ['device_type', 'module_type'],
  columns: ['display', 'name', 'enabled', 'description'],
  moreColumns: ['label', 'position'],
  panels: [
    [
      fieldGroup('Module bay template', [
        'device_type',
        'module_type',
        'name',
        'label',
        'position',
        'enabled',
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
      'position',
      'enabled',
      'description',
    ]),
  ],
  bulkEdit: [fieldGroup('', ['label', 'description', 'enabled'])],
})
