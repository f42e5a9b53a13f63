import { description } from '../../schema/common.ts'
import { choice } from '../../schema/field.ts'
import { pathEndpoint } from './cabled-component.ts'
import { consolePortSpeed, consolePortType } from './choices.ts'

/** A device's port for local administration. */
export const consolePort = pathEndpoint({
  name: 'dcim.consoleport',
  path: 'dcim/console-ports',
  labels: ['console port', 'console ports'],
  graphql: { enums: { type: ['ConsolePortTypeEnum', 'TYPE'] } },

  fields: {
    type: choice(consolePortType, { nullable: true, blank: true }),
    speed: choice(consolePortSpeed, { nullable: true, filter: 'single' }),
    description,
  },
})
