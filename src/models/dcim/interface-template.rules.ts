import { type Rule, rulesFor } from '../../schema/rule.ts'
import { areOfOneType, belongsToOneType, staysInType } from './component-template.ts'
import {
  notBridgedToItself,
  powerNeedsHardware,
  powerTypeNeedsMode,
  roleNeedsWireless,
} from './hardware-interface.rules.ts'
import { interfaceTemplate } from './interface-template.ts'

const bridgeIsOfSameType: Rule<typeof interfaceTemplate.fields> = async ({ next, read }) => {
  if (next.bridge === null) return
  const bridge = await read.get(interfaceTemplate, next.bridge)
  return areOfOneType(next, bridge)
    ? undefined
    : { bridge: `The bridge ${bridge.display} belongs to another type.` }
}

export const interfaceTemplateBehaviour = rulesFor(
  interfaceTemplate,
  staysInType,
  belongsToOneType,
  notBridgedToItself,
  powerNeedsHardware,
  powerTypeNeedsMode,
  roleNeedsWireless,
  bridgeIsOfSameType,
)
