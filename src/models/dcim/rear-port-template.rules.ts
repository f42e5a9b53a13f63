import { behaviour } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.rules.ts'
import { portLinks } from './port-links.rules.ts'
import { rearPortTemplate } from './rear-port-template.ts'

const links = portLinks('template', 'rear')

export const rearPortTemplateBehaviour = behaviour(rearPortTemplate, {
  apiRules: links.apiRules,
  rules: [staysInType, belongsToOneType, ...links.rules],
  effects: links.effects,
})
