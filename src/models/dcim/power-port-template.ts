import { description } from '../../schema/common.ts'
import { choice, integer } from '../../schema/field.ts'
import { powerPortType } from './choices/power-port-type.ts'
import { componentTemplate } from './component-template.ts'

/** A power port that devices or modules of a type come with. */
export const powerPortTemplate = componentTemplate({
  name: 'dcim.powerporttemplate',
  path: 'dcim/power-port-templates',
  labels: ['power port template', 'power port templates'],

  fields: {
    type: choice(powerPortType, { nullable: true, blank: true, filter: 'single' }),
    maximum_draw: integer({ range: [1, 2147483647], nullable: true }),
    allocated_draw: integer({ range: [1, 2147483647], nullable: true }),
    description,
  },
})
