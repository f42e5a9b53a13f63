import { rulesFor } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.ts'
import { consoleServerPortTemplate } from './console-server-port-template.ts'

export const consoleServerPortTemplateBehaviour = rulesFor(
  consoleServerPortTemplate,
  staysInType,
  belongsToOneType,
)
