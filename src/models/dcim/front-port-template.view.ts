import { fieldGroup } from '../../schema/view.ts'
import { componentTemplateView } from './component-template-view.ts'
import { rearPortColumns, rearPortOf } from './rear-port-columns.ts'

export const frontPortTemplateView = componentTemplateView('dcim.frontporttemplate', {
  heading: 'Front port template',
  fields: ['type', 'color', 'positions', 'rear_ports'],
  moreColumns: ['label', 'type', 'color', 'positions'],
  bulkEdit: [fieldGroup('', ['label', 'type', 'color', 'description'])],
  importColumns: rearPortColumns('dcim.rearporttemplate'),
  importBody: rearPortOf,
})
