import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { staysInDevice } from './component.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { deviceModule } from './module.ts'
import { moduleBay } from './module-bay.ts'

const notInItself: Rule<typeof moduleBay.fields> = async ({ next, read }) => {
  const seen = new Set<number>()
  let module = next.module
  while (module !== null && !seen.has(module)) {
    seen.add(module)
    const { module_bay: bay } = await read.get(deviceModule, module)
    if (bay === next.id) return { __all__: 'A module bay cannot belong to a module within it.' }
    module = (await read.get(moduleBay, bay)).module
  }
  return
}

/** The parent of a module's bays is the bay that contains the module. */
const standBelowBayOfModule: Normalizer<typeof moduleBay.fields> = async ({ next, read }) => ({
  parent: next.module === null ? null : (await read.get(deviceModule, next.module)).module_bay,
})

export const moduleBayBehaviour = behaviour(moduleBay, {
  modelRules: [staysInDevice, notInItself],
  beforeSave: [fillComponentPlace, standBelowBayOfModule],
})
