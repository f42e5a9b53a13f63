import { behaviour } from '../../schema/rule.ts'
import { cableOrMark, staysInDevice } from './component.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { consolePort } from './console-port.ts'

export const consolePortBehaviour = behaviour(consolePort, {
  modelRules: [cableOrMark, staysInDevice],
  beforeSave: [fillComponentPlace],
})
