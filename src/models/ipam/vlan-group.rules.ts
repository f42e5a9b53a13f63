import { type Rule, rulesFor } from '../../schema/rule.ts'
import { vlanGroup } from './vlan-group.ts'

/** Refuses overlapping ranges; the declaration limits the numbers themselves. */
const rangesAreApart: Rule<typeof vlanGroup.fields> = ({ next }) => {
  const sorted = next.vid_ranges.toSorted(([one], [other]) => one - other)
  const isShared = sorted.some(([low], index) => {
    const before = sorted[index - 1]
    return before !== undefined && before[1] >= low
  })
  return isShared ? { vid_ranges: 'Ranges must not overlap.' } : undefined
}

export const vlanGroupBehaviour = rulesFor(vlanGroup, rangesAreApart)
