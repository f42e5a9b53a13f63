import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, SHORT_NODE, tenant } from '../../schema/common.ts'
import { choice, foreignKey, relatedCount, slug, subtreeCount, text } from '../../schema/field.ts'
import { byIdAnd, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { parentNode, treeDepth, uniqueWithin } from '../../schema/tree.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { refreshComponentPlaces } from './component-place.effects.ts'
import { refreshScopePlaces, SCOPED } from './scope.effects.ts'

const locationStatus = choices([
  ['planned', 'Planned', 'cyan'],
  ['staging', 'Staging', 'blue'],
  ['active', 'Active', 'green'],
  ['decommissioning', 'Decommissioning', 'yellow'],
  ['retired', 'Retired', 'red'],
])

/** A part of a site: building, floor, room, cage. Locations form a tree. */
export const location = model({
  name: 'dcim.location',
  path: 'dcim/locations',
  labels: ['location', 'locations'],
  about: 'A floor, a room or a row within a site.',

  fields: {
    name: text({ max: 100 }),
    slug: slug({ max: 100 }),
    site: foreignKey('dcim.site', { onDelete: 'cascade', related: 'locations' }),
    parent: parentNode('dcim.location', { projection: SHORT_NODE }),
    status: choice(locationStatus, { default: 'active' }),
    tenant,
    facility: text({ max: 50, default: '' }),
    description,
    ...housekeeping,
    rack_count: subtreeCount('dcim.rack', 'location'),
    device_count: subtreeCount('dcim.device', 'location'),
    prefix_count: relatedCount('ipam.prefix', '_location'),
    owner,
    comments,
    _depth: treeDepth,
  },

  graphql: { matchesNodes: true },
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'rack_count', '_depth'],
  order: ['site', '_sort', 'id'],
  earlier: {
    order: ['_sort', 'id'],
    orderAsRelation: ['site', 'name'],
    tree: { parent: 'parent', orderBy: 'name', isWalked: true },
  },
  search: ['name', 'slug', 'description', 'comments', 'facility'],
  unique: uniqueWithin('parent', ['name', 'slug'], ['site']),

  filters: {
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: [...PRIMARY, 'contacts', 'imageAttachments'],
})

/** Moves the contents of a location along to another site. NetBox 4.6.8 dcim/signals.py. */
const passOnLocationSite: EffectFunction<typeof location.fields> = async ({ action, rows, database }) => {
  if (action !== 'update') return
  const moved = rows.flatMap(({ previous, next }) => (previous && next && previous.site !== next.site ? [next.id] : []))
  if (moved.length === 0) return
  const ids = sql`${moved}::bigint[]`
  await database.execute(sql`
    ${updateTable('dcim.location')} t set site_id = top.site_id
    from ${table('dcim.location')} top
    where top.id = any(${ids}) and top.id = any(t._ancestors)`)
  for (const name of ['dcim.rack', 'dcim.device', 'dcim.powerpanel']) {
    await database.execute(sql`
      ${updateTable(name)} t set site_id = l.site_id
      from ${table('dcim.location')} l
      where t.location_id = l.id and l._ancestors && ${ids} and t.site_id <> l.site_id`)
  }
  await database.execute(sql`
    ${updateTable('dcim.cabletermination')} t set _site_id = l.site_id
    from ${table('dcim.location')} l
    where t._location_id = l.id and l._ancestors && ${ids}`)
  const below = sql`select l.id from ${table('dcim.location')} l where l._ancestors && ${ids}`
  await refreshComponentPlaces(database, sql`d.location_id in (${below})`)
  for (const scoped of SCOPED) {
    await refreshScopePlaces(database, scoped, (type, id) => sql`${type} = 'dcim.location' and ${id} in (${below})`)
  }
}

type LocationRule = Rule<typeof location.fields>

const parentIsInSameSite: LocationRule = async ({ next, read }) => {
  if (next.parent === null) return
  const parent = await read.get(location, next.parent)
  return parent.site === next.site ? undefined : { __all__: `The parent, ${parent.display}, is in another site.` }
}

export const locationModel = registered(location, {
  behaviour: behaviour(location, {
    modelRules: [parentIsInSameSite],
    afterWrite: [passOnLocationSite],
  }),
  context: words('site parent'),
  columns: words('name site status facility tenant rack_count device_count description'),
  panels: words('parent name description site status tenant facility'),
  overview: [
    { model: 'dcim.rack', by: { location_id: 'id' } },
    { model: 'dcim.device', by: { location_id: 'id' } },
    { model: 'ipam.prefix', by: { location_id: 'id' } },
    { model: 'circuits.circuit', by: { location_id: 'id' } },
    {
      model: 'tenancy.contactassignment',
      by: { object_type: '=dcim.location', object_id: 'id' },
      label: 'Contacts',
    },
  ],
  tables: [
    {
      model: 'dcim.device',
      by: { location_id: 'id', rack_id: '=null', parent_bay_id: '=null' },
      label: 'Non-Racked Devices',
    },
  ],
  cloned: words('site parent status tenant facility description'),
  form: { Location: words('site parent name slug status facility description tags') },
  narrowedBy: { parent: { site_id: 'site' } },
  filters: { Attributes: words('region_id site_group_id site_id parent_id status facility') },
  importRequires: ['status'],
  search: { weights: { facility: 100 }, shown: words('site status tenant facility description') },
})
