import { componentTemplateView } from './component-template-view.ts'

export const consoleServerPortTemplateView = componentTemplateView(
  'dcim.consoleserverporttemplate',
  {
    heading: 'Console server port template',
    fields: ['type'],
  },
)
