import { description } from '../../schema/common.ts'
import { choice } from '../../schema/field.ts'
import { pathEndpoint } from './cabled-component.ts'
import { consolePortSpeed, consolePortType } from './choices.ts'

/** A port that gives access to another device's console port. */
export const consoleServerPort = pathEndpoint({
  name: 'dcim.consoleserverport',
  path: 'dcim/console-server-ports',
  labels: ['console server port', 'console server ports'],

  fields: {
    type: choice(consolePortType, { nullable: true, blank: true }),
    speed: choice(consolePortSpeed, { nullable: true, filter: 'single' }),
    description,
  },
})
