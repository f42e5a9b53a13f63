import { description } from '../../schema/common.ts'
import { choice } from '../../schema/field.ts'
import { consolePortType } from './choices.ts'
import { componentTemplate } from './component-template.ts'

/** A console server port that devices or modules of a type come with. */
export const consoleServerPortTemplate = componentTemplate({
  name: 'dcim.consoleserverporttemplate',
  path: 'dcim/console-server-port-templates',
  labels: ['console server port template', 'console server port templates'],

  fields: {
    type: choice(consolePortType, { nullable: true, blank: true, filter: 'single' }),
    description,
  },
})
