import { behaviour } from '../../schema/rule.ts'
import { cableOrMark, staysInDevice } from './component.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { consoleServerPort } from './console-server-port.ts'

export const consoleServerPortBehaviour = behaviour(consoleServerPort, {
  modelRules: [cableOrMark, staysInDevice],
  beforeSave: [fillComponentPlace],
})
