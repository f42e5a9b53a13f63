import { description } from '../../schema/common.ts'
import { boolean, text } from '../../schema/field.ts'
import { componentTemplate } from './component-template.ts'

/** A module bay that devices or modules of a type come with. */
export const moduleBayTemplate = componentTemplate({
  name: 'dcim.modulebaytemplate',
  path: 'dcim/module-bay-templates',
  labels: ['module bay template', 'module bay templates'],

  fields: {
    position: text({ max: 30, default: '' }),
    enabled: boolean({ default: true }),
    description,
  },

  brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
})
