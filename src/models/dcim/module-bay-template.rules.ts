import { rulesFor } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.rules.ts'
import { moduleBayTemplate } from './module-bay-template.ts'

export const moduleBayTemplateRules = rulesFor(moduleBayTemplate, staysInType, belongsToOneType)
