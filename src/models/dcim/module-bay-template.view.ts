import { fieldGroup } from '../../schema/view.ts'
import { componentTemplateView } from './component-template-view.ts'

export const moduleBayTemplateView = componentTemplateView('dcim.modulebaytemplate', {
  heading: 'Module bay template',
  fields: ['position', 'enabled'],
  columns: ['display', 'name', 'enabled', 'description'],
  moreColumns: ['label', 'position'],
  bulkEdit: [fieldGroup('', ['label', 'description', 'enabled'])],
})
