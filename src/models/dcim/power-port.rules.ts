import { behaviour } from '../../schema/rule.ts'
import { cableOrMark, staysInDevice } from './component.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { allocatedIsWithinMaximum } from './power-draw.rules.ts'
import { powerPort } from './power-port.ts'

export const powerPortBehaviour = behaviour(powerPort, {
  modelRules: [cableOrMark, staysInDevice, allocatedIsWithinMaximum],
  beforeSave: [fillComponentPlace],
})
