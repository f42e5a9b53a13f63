import { rulesFor } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.ts'
import { consolePortTemplate } from './console-port-template.ts'

export const consolePortTemplateBehaviour = rulesFor(
  consolePortTemplate,
  staysInType,
  belongsToOneType,
)
