import { behaviour } from '../../schema/rule.ts'
import { cableOrMark, staysInDevice } from './component.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { portLinks } from './port-links.rules.ts'
import { rearPort } from './rear-port.ts'

const links = portLinks('port', 'rear')

export const rearPortBehaviour = behaviour(rearPort, {
  serializerRules: links.serializerRules,
  modelRules: [cableOrMark, staysInDevice, ...links.modelRules],
  beforeSave: [fillComponentPlace],
  afterWrite: links.afterWrite,
})
