import { type Rule, rulesFor } from '../../schema/rule.ts'
import { cableOrMark } from './component.rules.ts'
import { powerFeed } from './power-feed.ts'
import { powerPanel } from './power-panel.ts'
import { rack } from './rack.ts'

type FeedRule = Rule<typeof powerFeed.fields>

const hasVoltage: FeedRule = ({ next }) =>
  next.voltage === 0 ? { voltage: 'A feed has a voltage.' } : undefined

const rackIsInSite: FeedRule = async ({ next, read }) => {
  if (next.rack === null) return
  const [frame, panel] = await Promise.all([
    read.get(rack, next.rack),
    read.get(powerPanel, next.power_panel),
  ])
  return frame.site === panel.site
    ? undefined
    : { __all__: `${frame.display} and ${panel.display} are in different sites.` }
}

const onlyDirectCurrentIsNegative: FeedRule = ({ next }) =>
  next.voltage < 0 && next.supply === 'ac'
    ? { voltage: 'The voltage of an alternating current is positive.' }
    : undefined

export const powerFeedBehaviour = rulesFor(
  powerFeed,
  hasVoltage,
  cableOrMark,
  rackIsInSite,
  onlyDirectCurrentIsNegative,
)
