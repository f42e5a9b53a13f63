import { fieldGroup, modelView } from '../../schema/view.ts'

export const powerOutletTemplateView = modelView('dcim.poweroutlettemplate', {
  context: ['device_type', 'module_type'],
  columns: ['display', 'name', 'description'],
  moreColumns: ['label', 'type', 'color', 'power_port', 'feed_leg'],
  panels: [
    [
      fieldGroup('Power outlet template', [
        'device_type',
        'module_type',
        'name',
        'label',
        'type',
        'color',
        'power_port',
        'feed_leg',
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
      'power_port',
      'feed_leg',
      'description',
    ]),
  ],
  narrowedBy: { power_port: { device_type_id: 'device_type' } },
  bulkEdit: [
    fieldGroup('', [
      'device_type',
      'label',
      'type',
      'color',
      'power_port',
      'feed_leg',
      'description',
    ]),
  ],
})
