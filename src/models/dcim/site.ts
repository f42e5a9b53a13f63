import { choices } from '../../schema/choices.ts'
import {
  comments,
  coordinates,
  description,
  housekeeping,
  owner,
  PRIMARY,
  tenant,
} from '../../schema/common.ts'
import {
  choice,
  decimal,
  foreignKey,
  manyToMany,
  relatedCount,
  slug,
  text,
  timeZone,
} from '../../schema/field.ts'
import { related, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { hasAsn } from './site-search.ts'

export const siteStatus = choices([
  ['planned', 'Planned', 'cyan'],
  ['staging', 'Staging', 'blue'],
  ['active', 'Active', 'green'],
  ['decommissioning', 'Decommissioning', 'yellow'],
  ['retired', 'Retired', 'red'],
])

/** A building or campus: the top of the physical hierarchy (site → location → rack → device). */
export const site = model({
  name: 'dcim.site',
  path: 'dcim/sites',
  labels: ['site', 'sites'],

  fields: {
    name: text({ max: 100, unique: true, collation: 'natural', help: 'Full name of the site' }),
    slug: slug({ max: 100, unique: true }),
    status: choice(siteStatus, { default: 'active' }),
    region: foreignKey('dcim.region', { onDelete: 'setNull', related: 'sites' }),
    group: foreignKey('dcim.sitegroup', { onDelete: 'setNull', related: 'sites' }),
    tenant,
    facility: text({ max: 50, default: '', help: 'Local facility ID or description' }),
    time_zone: timeZone({ nullable: true }),
    description,
    physical_address: text({
      max: 200,
      default: '',
      filter: false,
      help: 'Physical location of the building',
    }),
    shipping_address: text({
      max: 200,
      default: '',
      filter: false,
      help: 'If different from the physical address',
    }),
    latitude: decimal(coordinates.latitude),
    longitude: decimal(coordinates.longitude),
    owner,
    comments,
    asns: manyToMany('ipam.asn', { related: 'sites' }),
    ...housekeeping,
    circuit_count: relatedCount('circuits.circuittermination', '_site'),
    device_count: relatedCount('dcim.device', 'site'),
    prefix_count: relatedCount('ipam.prefix', '_site'),
    rack_count: relatedCount('dcim.rack', 'site'),
    virtualmachine_count: relatedCount('virtualization.virtualmachine', 'site'),
    vlan_count: relatedCount('ipam.vlan', 'site'),
  },

  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  search: [
    'name',
    'facility',
    'description',
    'physical_address',
    'shipping_address',
    'comments',
    hasAsn,
  ],

  filters: {
    asn: related('asns', 'ipam.asn', 'asn'),
    asn_id: related('asns', 'ipam.asn'),
    time_zone: textFilter('time_zone', { withoutEmpty: true }),
  },
  features: [...PRIMARY, 'contacts', 'imageAttachments'],
})
