import { behaviour } from '../../schema/rule.ts'
import { frontPort } from './front-port.ts'
import { unfoldPortMappings } from './unfold-port-mappings.ts'

export const frontPortBehaviour = behaviour(frontPort, {
  unfold: unfoldPortMappings('dcim.portmapping', ['device']),
})
