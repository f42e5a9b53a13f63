import { rulesFor } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.ts'
import { moduleBayTemplate } from './module-bay-template.ts'

export const moduleBayTemplateBehaviour = rulesFor(moduleBayTemplate, staysInType, belongsToOneType)
