import { type Rule, rulesFor } from '../../schema/rule.ts'
import { deviceBayTemplate } from './device-bay-template.ts'
import { deviceType } from './device-type.ts'

// The only check of NetBox 4.6.8: such a template may be moved to another device type.
const typeIsParent: Rule<typeof deviceBayTemplate.fields> = async ({ next, read }) => {
  const type = await read.get(deviceType, next.device_type)
  return type.subdevice_role === 'parent'
    ? undefined
    : { __all__: `${type.display} is not a parent device type.` }
}

export const deviceBayTemplateBehaviour = rulesFor(deviceBayTemplate, typeIsParent)
