import { componentTemplateView } from './component-template-view.ts'

export const powerPortTemplateView = componentTemplateView('dcim.powerporttemplate', {
  heading: 'Power port template',
  fields: ['type', 'maximum_draw', 'allocated_draw'],
})
