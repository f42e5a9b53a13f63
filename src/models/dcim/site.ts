import { choices } from '../../schema/choices.ts'
import { comments, coordinates, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, decimal, foreignKey, manyToMany, relatedCount, slug, text, timeZone } from '../../schema/field.ts'
import { related, textFilter } from '../../schema/filter.ts'
import { model, type SearchTerm } from '../../schema/model.ts'
import { behaviour, type EffectFunction } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { refreshScopePlaces, SCOPED } from './scope.effects.ts'

/** Whether the value is an AS number of the site. */
const hasAsn: SearchTerm = (column, value) =>
  /^\s*\d{1,10}\s*$/.test(value)
    ? sql`exists (
        select 1
        from ${table('dcim.site.asns')} j
        join ${table('ipam.asn')} a on a.id = j.asn_id
        where j.site_id = ${column('id')} and a.asn = ${value.trim()}::bigint
      )`
    : sql`false`

const siteStatus = choices([
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
  about: 'A building or a data center. Racks, devices, prefixes and VLANs can belong to it.',

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
  search: ['name', 'facility', 'description', 'physical_address', 'shipping_address', 'comments', hasAsn],

  filters: {
    asn: related('asns', 'ipam.asn', 'asn'),
    asn_id: related('asns', 'ipam.asn'),
    time_zone: textFilter('time_zone', { withoutEmpty: true }),
  },
  features: [...PRIMARY, 'contacts', 'imageAttachments'],
})

/** Copies a site's region and group to the objects scoped to the site or to its locations. */
const passOnRegionAndGroup: EffectFunction<typeof site.fields> = async ({ action, rows, database }) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) =>
    previous && next && (previous.region !== next.region || previous.group !== next.group) ? [next.id] : [],
  )
  if (moved.length === 0) return
  for (const scoped of SCOPED) {
    await refreshScopePlaces(database, scoped, () => sql`x._site_id = any(${moved}::bigint[])`)
  }
}

export const siteModel = registered(site, {
  behaviour: behaviour(site, {
    afterWrite: [passOnRegionAndGroup],
    rebuild: async (database) => {
      for (const scoped of SCOPED) await refreshScopePlaces(database, scoped, () => sql`true`)
    },
  }),
  columns: words('name status facility region group tenant description'),
  moreColumns: { plus: ['device_count'] },
  panels: words(`
    region group name status tenant facility description time_zone physical_address shipping_address
    latitude longitude
  `),
  overview: [
    { model: 'dcim.rack', by: { site_id: 'id' } },
    { model: 'dcim.device', by: { site_id: 'id' } },
    { model: 'ipam.vlan', by: { site_id: 'id' }, label: 'VLANs' },
    { model: 'ipam.prefix', by: { site_id: 'id' } },
    { model: 'circuits.circuit', by: { site_id: 'id' } },
    { model: 'virtualization.virtualmachine', by: { site_id: 'id' } },
    {
      model: 'tenancy.contactassignment',
      by: { object_type: '=dcim.site', object_id: 'id' },
      label: 'Contacts',
    },
  ],
  tables: [
    {
      model: 'dcim.device',
      by: { site_id: 'id', rack_id: '=null', parent_bay_id: '=null' },
      label: 'Non-Racked Devices',
    },
  ],
  cloned: words(`
    status region group tenant facility time_zone physical_address shipping_address latitude
    longitude description
  `),
  form: {
    Site: words('name slug status region group facility asns time_zone description tags'),
    'Contact Info': words('physical_address shipping_address latitude longitude'),
  },
  filters: { Attributes: words('status region_id group_id asn_id') },
  bulkEdit: { without: words('physical_address shipping_address latitude longitude') },
  importRequires: ['status'],
  imports: { without: ['asns'] },
  search: {
    weights: { facility: 100, physical_address: 2000, shipping_address: 2000 },
    shown: words('region group status tenant facility description'),
  },
})
