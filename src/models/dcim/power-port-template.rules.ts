import { rulesFor } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.ts'
import { allocatedIsWithinMaximum } from './power-draw.rules.ts'
import { powerPortTemplate } from './power-port-template.ts'

export const powerPortTemplateBehaviour = rulesFor(
  powerPortTemplate,
  staysInType,
  belongsToOneType,
  allocatedIsWithinMaximum,
)
