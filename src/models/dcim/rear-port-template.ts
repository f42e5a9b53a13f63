import { description } from '../../schema/common.ts'
import { choice, color, integer } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { portType } from './choices/port-type.ts'
import { componentTemplate } from './component-template.ts'
import { portMappings } from './port-mappings.ts'

/** A rear port that devices or modules of a type come with. */
export const rearPortTemplate = componentTemplate({
  name: 'dcim.rearporttemplate',
  path: 'dcim/rear-port-templates',
  labels: ['rear port template', 'rear port templates'],

  fields: {
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    front_ports: portMappings('dcim.porttemplatemapping', 'rear'),
    description,
  },

  filters: {
    front_port_id: related('mappings.front_port', 'dcim.frontporttemplate'),
  },
})
