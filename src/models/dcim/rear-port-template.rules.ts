import { behaviour } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.ts'
import { portLinks } from './port-links.rules.ts'
import { rearPortTemplate } from './rear-port-template.ts'

const links = portLinks('template', 'rear')

export const rearPortTemplateBehaviour = behaviour(rearPortTemplate, {
  serializerRules: links.serializerRules,
  modelRules: [staysInType, belongsToOneType, ...links.modelRules],
  afterWrite: links.afterWrite,
})
