import { description } from '../../schema/common.ts'
import { choice } from '../../schema/field.ts'
import { consolePortType } from './choices.ts'
import { componentTemplate } from './component-template.ts'

/** A console port that devices or modules of a type come with. */
export const consolePortTemplate = componentTemplate({
  name: 'dcim.consoleporttemplate',
  path: 'dcim/console-port-templates',
  labels: ['console port template', 'console port templates'],

  fields: {
    type: choice(consolePortType, { nullable: true, blank: true, filter: 'single' }),
    description,
  },
})
