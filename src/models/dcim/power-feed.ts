import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, foreignKey, integer, text } from '../../schema/field.ts'
import { byIdAnd, numberFilter, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { availablePower } from './available-power.ts'
import {
  cabled,
  cabledFilters,
  connectedEndpoints,
  linkPeers,
  occupied,
  pathFilters,
  pathStart,
} from './cabling/cabled.ts'

export const powerFeedStatus = choices([
  ['offline', 'Offline', 'gray'],
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'blue'],
  ['failed', 'Failed', 'red'],
])

export const powerFeedType = choices([
  ['primary', 'Primary', 'green'],
  ['redundant', 'Redundant', 'cyan'],
])

export const powerFeedSupply = choices([
  ['ac', 'AC'],
  ['dc', 'DC'],
])

export const powerFeedPhase = choices([
  ['single-phase', 'Single phase'],
  ['three-phase', 'Three-phase'],
])

/** A supply line from a power panel, optionally to a rack. */
export const powerFeed = model({
  name: 'dcim.powerfeed',
  path: 'dcim/power-feeds',
  labels: ['power feed', 'power feeds'],

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
    available_power: numberFilter('available_power'),
    ...byIdAnd('slug', 'region', relatedTree('power_panel.site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('power_panel.site.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'site', related('power_panel.site', 'dcim.site')),
  },
  features: PRIMARY,
})
