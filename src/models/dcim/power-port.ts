import { description } from '../../schema/common.ts'
import { choice, integer } from '../../schema/field.ts'
import { pathEndpoint } from './cabled-component.ts'
import { powerPortType } from './choices/power-port-type.ts'

/** A device's power input. */
export const powerPort = pathEndpoint({
  name: 'dcim.powerport',
  path: 'dcim/power-ports',
  labels: ['power port', 'power ports'],
  graphql: { enums: { type: ['PowerPortTypeEnum', 'TYPE'] } },

  fields: {
    type: choice(powerPortType, { nullable: true, blank: true }),
    maximum_draw: integer({ unit: 'W', range: [1, 2147483647], nullable: true }),
    allocated_draw: integer({ unit: 'W', range: [1, 2147483647], nullable: true }),
    description,
  },
})
