import { behaviour } from '../../schema/rule.ts'
import { retrace } from './port-mapping.effects.ts'
import { portMapping } from './port-mapping.ts'

export const portMappingBehaviour = behaviour(portMapping, { afterWrite: [retrace] })
