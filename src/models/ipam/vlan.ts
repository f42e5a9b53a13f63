import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, integer, relatedCount, reverse, text } from '../../schema/field.ts'
import { byIdAnd, numberFilter, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { equalsInteger } from '../../schema/search-term.ts'
import { fieldGroup, registered, tab, words } from '../../schema/view.ts'
import { site } from '../dcim/site.ts'
import { vlanFilters } from './vlan.filters.ts'
import { vlanGroup } from './vlan-group.ts'

const vlanStatus = choices([
  ['active', 'Active', 'blue'],
  ['reserved', 'Reserved', 'cyan'],
  ['deprecated', 'Deprecated', 'red'],
])

const vlanQinqRole = choices([
  ['svlan', 'Service', 'blue'],
  ['cvlan', 'Customer', 'orange'],
])

/** A VLAN with its number, in a site or a group. */
export const vlan = model({
  name: 'ipam.vlan',
  path: 'ipam/vlans',
  labels: ['VLAN', 'VLANs'],
  about: 'A layer 2 network with an id from 1 to 4094.',
  displayName: true,

  fields: {
    site: foreignKey('dcim.site', { related: 'vlans', nullable: true }),
    group: foreignKey('ipam.vlangroup', { related: 'vlans', nullable: true, resetOnPut: true }),
    vid: integer({ size: 'small', range: [1, 4094], label: 'VLAN ID' }),
    name: text({ max: 64 }),
    tenant,
    status: choice(vlanStatus, { default: 'active' }),
    role: foreignKey('ipam.role', { onDelete: 'setNull', related: 'vlans' }),
    description,
    qinq_role: choice(vlanQinqRole, { nullable: true }),
    qinq_svlan: foreignKey('ipam.vlan', {
      related: 'qinq_cvlans',
      nullable: true,
      resetOnPut: true,
    }),
    owner,
    comments,
    l2vpn_termination: reverse('vpn.l2vpntermination', 'assigned_object', { single: true }),
    ...housekeeping,
    prefix_count: relatedCount('ipam.prefix', 'vlan'),
  },

  display: '{name} ({vid})',
  graphql: { enums: { qinq_role: ['VLANQinQRoleEnum', 'ROLE'] } },
  brief: ['id', 'url', 'display', 'vid', 'name', 'description'],
  naturalKey: ['site', 'group', 'vid'],
  order: ['site', 'group', 'vid', 'id'],
  search: ['name', 'description', equalsInteger('vid')],
  unique: [
    { fields: ['group', 'vid'] },
    { fields: ['group', 'name'] },
    { fields: ['qinq_svlan', 'vid'] },
    { fields: ['qinq_svlan', 'name'] },
  ],

  filters: {
    ...vlanFilters,
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
    qinq_svlan_vid: numberFilter('qinq_svlan.vid'),
    ...byIdAnd('identifier', 'l2vpn', related('l2vpn_terminations.l2vpn', 'vpn.l2vpn')),
  },
  features: PRIMARY,
})

type VlanRule = Rule<typeof vlan.fields>

/** Refuses a VLAN of another site in a group whose scope is a site or site group. */
const siteFitsGroup: VlanRule = async ({ next, read }) => {
  if (next.group === null || next.site === null) return
  const [group, place] = await Promise.all([read.get(vlanGroup, next.group), read.get(site, next.site)])
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
  return { vid: `The group ${display} allows only the numbers ${list}.` }
}

const serviceVlanNeedsCustomer: VlanRule = ({ next }) =>
  next.qinq_svlan !== null && next.qinq_role !== 'cvlan'
    ? { qinq_svlan: 'Only a customer VLAN can belong to a service VLAN.' }
    : undefined

const customerNeedsServiceVlan: VlanRule = ({ next }) =>
  next.qinq_role === 'cvlan' && next.qinq_svlan === null
    ? { qinq_role: 'A customer VLAN needs a service VLAN.' }
    : undefined

export const vlanModel = registered(vlan, {
  behaviour: rulesFor(vlan, siteFitsGroup, numberIsInGroup, serviceVlanNeedsCustomer, customerNeedsServiceVlan),
  context: words('group site'),
  columns: words('vid name site group tenant status role description'),
  labels: {
    vid: 'VID',
    qinq_role: 'Q-in-Q role',
    qinq_svlan: 'Q-in-Q SVLAN',
  },
  formLabels: { group: 'VLAN group' },
  panels: words(`
    site.region site group vid name tenant status role description qinq_role qinq_svlan
  `),
  tables: [{ model: 'ipam.prefix', by: { vlan_id: 'id' }, label: 'Prefixes' }],
  tabs: [
    tab('interfaces', 'dcim.interface', { vlan_id: 'id' }, { label: 'Device Interfaces', hiddenIfEmpty: false }),
    tab(
      'vm-interfaces',
      'virtualization.vminterface',
      { vlan_id: 'id' },
      { label: 'VM Interfaces', hiddenIfEmpty: false },
    ),
  ],
  cloned: words('site group tenant status role description qinq_role qinq_svlan'),
  form: [
    fieldGroup(
      '',
      words(`
      site group vid name status role tenant qinq_role qinq_svlan description
    `),
    ),
    fieldGroup('', words('tags owner comments')),
  ],
  bulkAdd: { field: 'vid', pattern: 'numbers', namedIn: ['name'] },
  filters: {
    Location: words('region_id site_group_id site_id'),
    Attributes: words('group_id status role_id vid l2vpn_id'),
    'Q-in-Q/802.1ad': words('qinq_role qinq_svlan_id'),
  },
  bulkEdit: {
    '': words('status role tenant description'),
    'Q-in-Q': words('qinq_role qinq_svlan'),
    'Site & Group': words('site group'),
  },
  importRequires: ['status'],
  imports: { without: ['qinq_svlan'], plus: ['qinq_svlan.vid'] },
  search: { weights: { vid: 100 }, shown: words('site group tenant status role description') },
})
