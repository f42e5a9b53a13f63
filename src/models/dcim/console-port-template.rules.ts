import { rulesFor } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.rules.ts'
import { consolePortTemplate } from './console-port-template.ts'

export const consolePortTemplateBehaviour = rulesFor(
  consolePortTemplate,
  staysInType,
  belongsToOneType,
)
