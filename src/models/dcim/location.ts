import { choices } from '../../schema/choices.ts'
import {
  comments,
  description,
  housekeeping,
  owner,
  PRIMARY,
  SHORT_NODE,
  tenant,
} from '../../schema/common.ts'
import { choice, foreignKey, relatedCount, slug, subtreeCount, text } from '../../schema/field.ts'
import { byIdAnd, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { parentNode, treeDepth, uniqueWithin } from '../../schema/tree.ts'

export const locationStatus = choices([
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
  order: ['_sort', 'id'],
  orderAsRelation: ['site', 'name'],
  search: ['name', 'slug', 'description', 'comments', 'facility'],
  unique: uniqueWithin('parent', ['name', 'slug'], ['site']),

  filters: {
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: [...PRIMARY, 'contacts', 'imageAttachments'],
})
