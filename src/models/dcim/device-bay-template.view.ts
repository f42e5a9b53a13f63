import { fieldGroup } from '../../schema/view.ts'
import { componentTemplateView } from './component-template-view.ts'

export const deviceBayTemplateView = componentTemplateView('dcim.devicebaytemplate', {
  heading: 'Device bay template',
  types: ['device_type'],
  fields: ['enabled'],
  columns: ['display', 'name', 'enabled', 'description'],
  moreColumns: ['label'],
  bulkEdit: [fieldGroup('', ['label', 'description', 'enabled'])],
})
