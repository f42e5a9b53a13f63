import { fieldGroup } from '../../schema/view.ts'
import { componentTemplateView } from './component-template-view.ts'

export const powerOutletTemplateView = componentTemplateView('dcim.poweroutlettemplate', {
  heading: 'Power outlet template',
  fields: ['type', 'color', 'power_port', 'feed_leg'],
  narrowedBy: { power_port: { device_type_id: 'device_type' } },
  bulkEdit: [fieldGroup('', 'device_type label type color power_port feed_leg description')],
})
