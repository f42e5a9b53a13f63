import { fieldGroup, modelView } from '../../schema/view.ts'
import { rearPortColumns, rearPortOf } from './rear-port-columns.ts'

export const frontPortTemplateView = modelView('dcim.frontporttemplate', {
  context: ['device_type', 'module_type'],
  columns: ['display', 'name', 'description'],
  moreColumns: ['label', 'type', 'color', 'positions'],
  panels: [
    [
      fieldGroup('Front port template', [
        'device_type',
        'module_type',
        'name',
        'label',
        'type',
        'color',
        'positions',
        'rear_ports',
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
      'rear_ports',
      'description',
    ]),
  ],
  bulkEdit: [fieldGroup('', ['label', 'type', 'color', 'description'])],
  importColumns: rearPortColumns('dcim.rearporttemplate'),
  importBody: rearPortOf,
})
