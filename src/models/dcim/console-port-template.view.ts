import { fieldGroup } from '../../schema/view.ts'
import { componentTemplateView } from './component-template-view.ts'

export const consolePortTemplateView = componentTemplateView('dcim.consoleporttemplate', {
  heading: 'Console port template',
  fields: ['type'],
  bulkEdit: [fieldGroup('', ['label', 'type'])],
})
