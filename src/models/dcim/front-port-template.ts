import { description } from '../../schema/common.ts'
import { choice, color, integer } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { portType } from './choices/port-type.ts'
import { componentTemplate } from './component-template.ts'
import { portMappings } from './port-mappings.ts'

/** A front port that devices or modules of a type come with. */
export const frontPortTemplate = componentTemplate({
  name: 'dcim.frontporttemplate',
  path: 'dcim/front-port-templates',
  labels: ['front port template', 'front port templates'],

  fields: {
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    rear_ports: portMappings('dcim.porttemplatemapping', 'front'),
    description,
  },

  filters: {
    rear_port_id: related('mappings.rear_port', 'dcim.rearporttemplate'),
  },
})
