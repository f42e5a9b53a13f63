import { behaviour } from '../../schema/rule.ts'
import { frontPortTemplate } from './front-port-template.ts'
import { unfoldPortMappings } from './unfold-port-mappings.ts'

export const frontPortTemplateBehaviour = behaviour(frontPortTemplate, {
  unfold: unfoldPortMappings('dcim.porttemplatemapping', ['device_type', 'module_type']),
})
