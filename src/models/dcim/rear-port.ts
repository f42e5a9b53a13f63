import { description } from '../../schema/common.ts'
import { choice, color, integer } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { passThroughPort } from './cabled-component.ts'
import { portType } from './choices/port-type.ts'
import { portMappings } from './port-mappings.ts'

/** A pass-through port on the rear with one or more positions. */
export const rearPort = passThroughPort({
  name: 'dcim.rearport',
  path: 'dcim/rear-ports',
  labels: ['rear port', 'rear ports'],

  fields: {
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    front_ports: portMappings('dcim.portmapping', 'rear'),
    description,
  },

  filters: {
    front_port_id: related('mappings.front_port', 'dcim.frontport'),
  },
})
