import { behaviour } from '../../schema/rule.ts'
import { retracePortMappings } from './port-mapping.effects.ts'
import { portMapping } from './port-mapping.ts'

export const portMappingBehaviour = behaviour(portMapping, { afterWrite: [retracePortMappings] })
