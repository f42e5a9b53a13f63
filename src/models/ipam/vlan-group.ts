import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { derived, genericForeignKey, integer, list, relatedCount, slug, text } from '../../schema/field.ts'
import { type CustomFilter, custom } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, tab, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Groups whose scope is exactly the object with the id; descendants do not count. */
const scopeIs = (model: string): CustomFilter =>
  custom({
    value: 'integer',
    multiple: true,
    where: ({ column }, ids) =>
      sql`(${column('scope_type')} = ${model} and ${column('scope_id')} = any(${ids}::bigint[]))`,
  })

const vlanGroupFilters = {
  region: scopeIs('dcim.region'),
  site_group: scopeIs('dcim.sitegroup'),
  site: scopeIs('dcim.site'),
  location: scopeIs('dcim.location'),
  rack_group: scopeIs('dcim.rackgroup'),
  rack: scopeIs('dcim.rack'),
  cluster_group: scopeIs('virtualization.clustergroup'),
  cluster: scopeIs('virtualization.cluster'),
  /** Groups with a range that contains the number. */
  contains_vid: custom({
    value: 'integer',
    multiple: false,
    where: ({ column }, [vid]) => sql`exists (
      select 1 from unnest(${column('vid_ranges')}) r
      where ${vid}::bigint between lower(r) and upper(r) - 1
    )`,
  }),
}

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
  (ranges as readonly (readonly [number, number])[]).reduce((sum, [low, high]) => sum + high - low + 1, 0)

/** A group within which VLAN numbers and names are unique, optionally limited to a scope. */
export const vlanGroup = model({
  name: 'ipam.vlangroup',
  path: 'ipam/vlan-groups',
  labels: ['VLAN group', 'VLAN groups'],
  about: 'VLANs with distinct ids, such as those of a site.',

  fields: {
    name: text({ max: 100, collation: 'natural' }),
    slug: slug({ max: 100 }),
    scope: genericForeignKey(
      words(`
        dcim.location dcim.rack dcim.rackgroup dcim.region dcim.site dcim.sitegroup
        virtualization.cluster virtualization.clustergroup
      `),
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
  unique: [{ fields: ['scope_type', 'scope_id', 'name'] }, { fields: ['scope_type', 'scope_id', 'slug'] }],

  filters: { ...vlanGroupFilters },
  features: PRIMARY,
})

/** Refuses overlapping ranges; the declaration limits the numbers themselves. */
const rangesAreApart: Rule<typeof vlanGroup.fields> = ({ next }) => {
  const sorted = next.vid_ranges.toSorted(([left], [right]) => left - right)
  const isShared = sorted.some(([low], index) => {
    const before = sorted[index - 1]
    return before !== undefined && before[1] >= low
  })
  return isShared ? { vid_ranges: 'Ranges must not overlap.' } : undefined
}

export const vlanGroupModel = registered(vlanGroup, {
  behaviour: rulesFor(vlanGroup, rangesAreApart),
  context: ['scope'],
  columns: words('name scope_type scope vlan_count utilization tenant description'),
  moreColumns: { without: ['vid_ranges'], plus: ['total_vlan_ids'] },
  labels: { scope_type: 'Scope Type' },
  fieldLabels: { vid_ranges: 'VLAN IDs' },
  panels: words('name description scope vid_ranges tenant'),
  tabs: [tab('vlans', 'ipam.vlan', { group_id: 'id' }, { label: 'VLANs', hiddenIfEmpty: false })],
  form: {
    'VLAN Group': words('name slug description tags'),
    'Child VLANs': ['vid_ranges'],
    Scope: ['scope'],
  },
  filters: {
    Location: words('region site_group site location rack_group rack'),
    Cluster: words('cluster_group cluster'),
    VLANs: words('contains_vid total_vlan_ids'),
  },
  bulkEdit: { '': words('vid_ranges description'), Scope: ['scope'] },
  importColumns: { scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' } },
  imports: { plus: words('scope_type scope_id') },
  search: { shown: words('scope_type description') },
})
