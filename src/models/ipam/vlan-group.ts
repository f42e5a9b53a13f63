import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import {
  derived,
  genericForeignKey,
  integer,
  list,
  relatedCount,
  slug,
  text,
} from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { vlanGroupFilters } from './vlan-group.filters.ts'

/** Percentage of the group's numbers in use, with at most two decimal places. */
const utilization = (column: ColumnOf): Sql => sql`to_char(
  coalesce(round(
    (select count(*) from ${table('ipam.vlan')} v where v.group_id = ${column('id')}) * 100.0
      / nullif(${column('total_vlan_ids')}, 0),
    2
  ), 0),
  'FM9999990.09'
)`

/** Total size of the ranges, which do not overlap. */
const countNumbers = (ranges: unknown): number =>
  // Pairs [low, high], both from a body and from the database.
  (ranges as readonly (readonly [number, number])[]).reduce(
    (sum, [low, high]) => sum + high - low + 1,
    0,
  )

/** A group within which VLAN numbers and names are unique, optionally limited to a scope. */
export const vlanGroup = model({
  name: 'ipam.vlangroup',
  path: 'ipam/vlan-groups',
  labels: ['VLAN group', 'VLAN groups'],

  fields: {
    name: text({ max: 100, collation: 'natural' }),
    slug: slug({ max: 100 }),
    scope: genericForeignKey(
      [
        'dcim.location',
        'dcim.rack',
        'dcim.rackgroup',
        'dcim.region',
        'dcim.site',
        'dcim.sitegroup',
        'virtualization.cluster',
        'virtualization.clustergroup',
      ],
      { nullable: true, resetOnPut: true, related: 'vlan_groups' },
    ),
    vid_ranges: list('range', { default: [[1, 4094]], range: [1, 4094], blank: false }),
    total_vlan_ids: integer({
      size: 'big',
      range: [0, Number.MAX_SAFE_INTEGER],
      default: 4094,
      readOnly: true,
      compute: (row) => countNumbers(row.vid_ranges),
    }),
    tenant,
    description,
    owner,
    comments,
    ...housekeeping,
    vlan_count: relatedCount('ipam.vlan', 'group'),
    utilization: derived('text', utilization, { ofEndpoint: true, unit: '%' }),
  },

  graphql: {
    filters: {
      region: 'scope:dcim.region',
      site_group: 'scope:dcim.sitegroup',
      site: 'scope:dcim.site',
      location: 'scope:dcim.location',
    },
  },
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'vlan_count'],
  order: ['name', 'id'],
  search: ['name', 'description'],
  naturalKey: ['scope_type', 'scope_id', 'slug'],
  unique: [
    { fields: ['scope_type', 'scope_id', 'name'] },
    { fields: ['scope_type', 'scope_id', 'slug'] },
  ],

  filters: {
    ...vlanGroupFilters,
  },
  features: PRIMARY,
})
