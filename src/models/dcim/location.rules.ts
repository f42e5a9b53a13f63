import { behaviour, type Rule } from '../../schema/rule.ts'
import { passOnLocationSite } from './location.effects.ts'
import { location } from './location.ts'

type LocationRule = Rule<typeof location.fields>

const parentIsInSameSite: LocationRule = async ({ next, read }) => {
  if (next.parent === null) return
  const parent = await read.get(location, next.parent)
  return parent.site === next.site
    ? undefined
    : { __all__: `The parent, ${parent.display}, is in another site.` }
}

export const locationBehaviour = behaviour(location, {
  modelRules: [parentIsInSameSite],
  afterWrite: [passOnLocationSite],
})
