import { behaviour } from '../../schema/rule.ts'
import { belongsToOneType, staysInType } from './component-template.ts'
import { frontPortTemplate } from './front-port-template.ts'
import { portLinks } from './port-links.rules.ts'
import { embeddedPortMappings } from './unfold-port-mappings.ts'

const links = portLinks('template', 'front')

export const frontPortTemplateBehaviour = behaviour(frontPortTemplate, {
  serializerRules: links.serializerRules,
  modelRules: [staysInType, belongsToOneType, ...links.modelRules],
  afterWrite: links.afterWrite,
  unfold: embeddedPortMappings('dcim.porttemplatemapping', ['device_type', 'module_type']),
})
