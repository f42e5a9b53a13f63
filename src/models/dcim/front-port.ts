import { description } from '../../schema/common.ts'
import { choice, color, integer } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { passThroughPort } from './cabled-component.ts'
import { portType } from './choices/port-type.ts'
import { portMappings } from './port-mappings.ts'

/** A pass-through port on the front, mapped to positions of rear ports. */
export const frontPort = passThroughPort({
  name: 'dcim.frontport',
  path: 'dcim/front-ports',
  labels: ['front port', 'front ports'],
  graphql: { enums: { type: ['PortTypeEnum', 'TYPE'] } },

  fields: {
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    rear_ports: portMappings('dcim.portmapping', 'front'),
    description,
  },

  filters: {
    rear_port_id: related('mappings.rear_port', 'dcim.rearport'),
  },
})
