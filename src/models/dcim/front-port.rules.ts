import { behaviour } from '../../schema/rule.ts'
import { cableOrMark, staysInDevice } from './component.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { frontPort } from './front-port.ts'
import { portLinks } from './port-links.rules.ts'
import { embeddedPortMappings } from './unfold-port-mappings.ts'

const links = portLinks('port', 'front')

export const frontPortBehaviour = behaviour(frontPort, {
  serializerRules: links.serializerRules,
  modelRules: [cableOrMark, staysInDevice, ...links.modelRules],
  beforeSave: [fillComponentPlace],
  afterWrite: links.afterWrite,
  unfold: embeddedPortMappings('dcim.portmapping', ['device']),
})
