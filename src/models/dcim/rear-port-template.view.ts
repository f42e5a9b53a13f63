import { fieldGroup } from '../../schema/view.ts'
import { componentTemplateView } from './component-template-view.ts'

export const rearPortTemplateView = componentTemplateView('dcim.rearporttemplate', {
  heading: 'Rear port template',
  fields: ['type', 'color', 'positions'],
  panels: [
    [
      fieldGroup(
        'Rear port template',
        'device_type module_type name label type color positions front_ports description',
      ),
    ],
  ],
  bulkEdit: [fieldGroup('', ['label', 'type', 'color', 'description'])],
})
