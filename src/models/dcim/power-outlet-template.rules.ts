import { type Rule, rulesFor } from '../../schema/rule.ts'
import { areOfOneType, belongsToOneType, staysInType } from './component-template.ts'
import { powerOutletTemplate } from './power-outlet-template.ts'
import { powerPortTemplate } from './power-port-template.ts'

const portIsOfSameType: Rule<typeof powerOutletTemplate.fields> = async ({ next, read }) => {
  if (next.power_port === null) return
  const port = await read.get(powerPortTemplate, next.power_port)
  return areOfOneType(next, port)
    ? undefined
    : { __all__: `The power port ${port.display} belongs to another type.` }
}

export const powerOutletTemplateBehaviour = rulesFor(
  powerOutletTemplate,
  staysInType,
  belongsToOneType,
  portIsOfSameType,
)
