import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, integer, text } from '../../schema/field.ts'
import { byIdAnd, numberFilter, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import {
  cabled,
  cabledFilters,
  connectedEndpoints,
  linkPeers,
  occupied,
  pathFilters,
  pathStart,
} from './cabling/cabled.ts'
import { cableOrMark } from './component.ts'
import { powerPanel } from './power-panel.ts'
import { rack } from './rack.ts'

type Row = Readonly<Record<string, unknown>>

/** Factor of a three-phase feed: the square root of three. */
const THREE_PHASES = 1.732

/** Available power of a feed in watts: voltage times amperage, times its maximum utilization. */
export function availablePower(row: Row): number {
  const volts = Math.abs(Number(row.voltage))
  const single = volts * Number(row.amperage) * (Number(row.max_utilization) / 100)
  return roundToEven(row.phase === 'three-phase' ? single * THREE_PHASES : single)
}

/** Rounds halves to the even neighbour, as in NetBox. */
function roundToEven(value: number): number {
  const low = Math.floor(value)
  if (value - low !== 0.5) return Math.round(value)
  return low % 2 === 0 ? low : low + 1
}

const powerFeedStatus = choices([
  ['offline', 'Offline', 'gray'],
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'blue'],
  ['failed', 'Failed', 'red'],
])

const powerFeedType = choices([
  ['primary', 'Primary', 'green'],
  ['redundant', 'Redundant', 'cyan'],
])

const powerFeedSupply = choices([
  ['ac', 'AC'],
  ['dc', 'DC'],
])

const powerFeedPhase = choices([
  ['single-phase', 'Single phase'],
  ['three-phase', 'Three-phase'],
])

/** A supply line from a power panel, optionally to a rack. */
export const powerFeed = model({
  name: 'dcim.powerfeed',
  path: 'dcim/power-feeds',
  labels: ['power feed', 'power feeds'],
  about: 'A supply line from a power panel to a rack.',

  fields: {
    power_panel: foreignKey('dcim.powerpanel', { related: 'powerfeeds' }),
    rack: foreignKey('dcim.rack', { related: 'powerfeeds', nullable: true, resetOnPut: true }),
    name: text({ max: 100, collation: 'natural' }),
    status: choice(powerFeedStatus, { default: 'active', resetOnPut: true }),
    type: choice(powerFeedType, { default: 'primary', resetOnPut: true, filter: 'single' }),
    supply: choice(powerFeedSupply, { default: 'ac', resetOnPut: true, filter: 'single' }),
    phase: choice(powerFeedPhase, { default: 'single-phase', resetOnPut: true, filter: 'single' }),
    voltage: integer({ unit: 'V', size: 'small', default: 120 }),
    amperage: integer({ unit: 'A', size: 'small', range: [1, 32767], default: 15 }),
    max_utilization: integer({ unit: '%', size: 'small', range: [1, 100], default: 80 }),
    ...cabled,
    ...linkPeers('dcim.powerfeed'),
    ...connectedEndpoints('dcim.powerfeed'),
    description,
    tenant,
    owner,
    comments,
    ...housekeeping,
    _occupied: occupied,
    ...pathStart,
    available_power: integer({
      range: [0, 2147483647],
      default: 0,
      hidden: true,
      compute: availablePower,
    }),
  },

  brief: ['id', 'url', 'display', 'name', 'cable', 'description', '_occupied'],
  order: ['power_panel', 'name'],
  search: ['comments', 'power_panel.name', 'name', 'description'],
  unique: [{ fields: ['power_panel', 'name'] }],

  filters: {
    ...cabledFilters,
    ...pathFilters,
    ...byIdAnd('slug', 'location', relatedTree('power_panel.location', 'dcim.location')),
    available_power: numberFilter('available_power'),
    ...byIdAnd('slug', 'region', relatedTree('power_panel.site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('power_panel.site.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('power_panel.site', 'dcim.site')),
  },
  features: PRIMARY,
})

type FeedRule = Rule<typeof powerFeed.fields>

const hasVoltage: FeedRule = ({ next }) => (next.voltage === 0 ? { voltage: 'Voltage must not be zero.' } : undefined)

const rackIsInSite: FeedRule = async ({ next, read }) => {
  if (next.rack === null) return
  const [frame, panel] = await Promise.all([read.get(rack, next.rack), read.get(powerPanel, next.power_panel)])
  return frame.site === panel.site
    ? undefined
    : { __all__: `${frame.display} and ${panel.display} are in different sites.` }
}

const onlyDirectCurrentIsNegative: FeedRule = ({ next }) =>
  next.voltage < 0 && next.supply === 'ac' ? { voltage: 'AC voltage must be positive.' } : undefined

export const powerFeedModel = registered(powerFeed, {
  behaviour: rulesFor(powerFeed, hasVoltage, cableOrMark, rackIsInSite, onlyDirectCurrentIsNegative),
  context: words('power_panel rack'),
  columns: words('name power_panel rack status type supply voltage amperage phase cable'),
  moreColumns: { plus: words('rack.site cable.color link_peers') },
  labels: titled('power_panel max_utilization mark_connected cable.color link_peers'),
  panels: {
    'Power feed': words('power_panel rack type status description tenant connected_endpoints'),
    'Electrical Characteristics': words('supply voltage amperage phase max_utilization'),
  },
  cloned: words(`
    power_panel rack status type mark_connected supply phase voltage amperage max_utilization tenant
  `),
  form: {
    'Power Feed': words('power_panel rack name status type description mark_connected tags'),
    Characteristics: words('supply voltage amperage phase max_utilization'),
  },
  filters: {
    Location: words('region_id site_group_id site_id power_panel_id rack_id'),
    Attributes: words('status type supply phase voltage amperage max_utilization'),
  },
  bulkEdit: {
    '': words('power_panel rack status type mark_connected description tenant'),
    Power: words('supply phase voltage amperage max_utilization'),
  },
  importColumns: {
    site: { to: 'dcim.site', narrows: { power_panel: 'site', rack: 'site', location: 'site' } },
    location: { to: 'dcim.location', narrows: { rack: 'location' } },
  },
  importRequires: words('site status type supply phase voltage amperage max_utilization'),
  imports: { plus: ['site.name'] },
  search: { shown: words('power_panel rack status description') },
})
