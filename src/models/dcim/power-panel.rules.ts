import { type Rule, rulesFor } from '../../schema/rule.ts'
import { location } from './location.ts'
import { powerPanel } from './power-panel.ts'

const locationIsInSite: Rule<typeof powerPanel.fields> = async ({ next, read }) => {
  if (next.location === null) return
  const place = await read.get(location, next.location)
  return place.site === next.site
    ? undefined
    : { __all__: `${place.display} is a location of another site.` }
}

export const powerPanelBehaviour = rulesFor(powerPanel, locationIsInSite)
