import { type Rule, rulesFor } from '../../schema/rule.ts'
import { site } from '../dcim/site.ts'
import { vlan } from './vlan.ts'
import { vlanGroup } from './vlan-group.ts'

type VlanRule = Rule<typeof vlan.fields>

/** Refuses a VLAN of another site in a group whose scope is a site or site group. */
const siteFitsGroup: VlanRule = async ({ next, read }) => {
  if (next.group === null || next.site === null) return
  const [group, place] = await Promise.all([
    read.get(vlanGroup, next.group),
    read.get(site, next.site),
  ])
  const isElsewhere =
    (group.scope_type === 'dcim.site' && group.scope_id !== place.id) ||
    (group.scope_type === 'dcim.sitegroup' && group.scope_id !== place.group)
  return isElsewhere
    ? { __all__: `${place.display} does not belong to the scope of the group ${group.display}.` }
    : undefined
}

const numberIsInGroup: VlanRule = async ({ next, read }) => {
  if (next.group === null) return
  const { vid_ranges: ranges, display } = await read.get(vlanGroup, next.group)
  if (ranges.some(([low, high]) => low <= next.vid && next.vid <= high)) return
  const list = ranges.map(([low, high]) => (low === high ? low : `${low}-${high}`)).join(', ')
  return { vid: `The group ${display} has the numbers ${list}.` }
}

const serviceVlanNeedsCustomer: VlanRule = ({ next }) =>
  next.qinq_svlan !== null && next.qinq_role !== 'cvlan'
    ? { qinq_svlan: 'Only a customer VLAN belongs to a service VLAN.' }
    : undefined

const customerNeedsServiceVlan: VlanRule = ({ next }) =>
  next.qinq_role === 'cvlan' && next.qinq_svlan === null
    ? { qinq_role: 'A customer VLAN needs a service VLAN.' }
    : undefined

export const vlanBehaviour = rulesFor(
  vlan,
  siteFitsGroup,
  numberIsInGroup,
  serviceVlanNeedsCustomer,
  customerNeedsServiceVlan,
)
