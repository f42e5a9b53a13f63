import { type CustomFilter, custom } from '../../schema/filter.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

// VLANs that may be used at a place: those of groups whose scope covers the place, those of the place's site, and
// those without site and group.

/** Ids of the tree's nodes from the one that `node` selects up to its root. */
const ancestors = (tree: string, node: Sql): Sql =>
  sql`select unnest(n._ancestors) from ${table(tree)} n where n.id = (${node})`

/** A scope that covers the place: the scope's model and a query for its ids. */
type Cover = readonly [model: string, ids: Sql]

const regionOf = (site: Sql): Sql => sql`select s.region_id from ${table('dcim.site')} s where s.id = (${site})`
const groupOf = (site: Sql): Sql => sql`select s.group_id from ${table('dcim.site')} s where s.id = (${site})`

/** Scopes that cover a site: itself, its region and site group with all ancestors. */
const coversOfSite = (site: Sql): readonly Cover[] => [
  ['dcim.site', site],
  ['dcim.region', ancestors('dcim.region', regionOf(site))],
  ['dcim.sitegroup', ancestors('dcim.sitegroup', groupOf(site))],
]

const groupsOf = (covers: readonly Cover[]): Sql => sql`
  select g.id from ${table('ipam.vlangroup')} g
  where ${join(
    covers.map(([model, ids]) => sql`(g.scope_type = ${model} and g.scope_id in (${ids}))`),
    ' or ',
  )}`

const WITHOUT_SCOPE = sql`select g.id from ${table('ipam.vlangroup')} g where g.scope_id is null`

/** VLANs that may be used at a place, see above. `site` selects the id of the place's site. */
const available = (to: string, covers: (id: Sql) => readonly Cover[], site: (id: Sql) => Sql): CustomFilter =>
  custom({
    value: 'related',
    to,
    by: 'id',
    multiple: false,
    where: ({ column }, [value]) => {
      const id = sql`${value}::bigint`
      const group = column('group')
      return sql`(
        ${group} in (${groupsOf(covers(id))})
        or ${column('site')} = (${site(id)})
        or (${column('site')} is null and (${group} is null or ${group} in (${WITHOUT_SCOPE})))
      )`
    },
  })

/** VLANs of any of the sites, and of groups whose scope covers such a site or is within it. */
const relatedToSite: CustomFilter = custom({
  value: 'related',
  to: 'dcim.site',
  by: 'id',
  multiple: true,
  where: ({ column }, sites) => {
    const ids = sql`select s.id from ${table('dcim.site')} s where s.id = any(${sites}::bigint[])`
    const above = (tree: string, key: 'region_id' | 'group_id') => sql`
      select unnest(n._ancestors) from ${table(tree)} n
      join ${table('dcim.site')} s on n.id = s.${identifier(key)} where s.id in (${ids})`
    const covers: readonly Cover[] = [
      ['dcim.site', ids],
      ['dcim.region', above('dcim.region', 'region_id')],
      ['dcim.sitegroup', above('dcim.sitegroup', 'group_id')],
      ['dcim.location', sql`select l.id from ${table('dcim.location')} l where l.site_id in (${ids})`],
      ['dcim.rack', sql`select r.id from ${table('dcim.rack')} r where r.site_id in (${ids})`],
    ]
    return sql`(${column('site')} in (${ids}) or ${column('group')} in (${groupsOf(covers)}))`
  },
})

/** Tagged or untagged on the interface. */
const carriedBy = (to: string, key: string): CustomFilter =>
  custom({
    value: 'related',
    to,
    by: 'id',
    multiple: false,
    // Two sets, each found by an index; alternatives in one condition would scan all VLANs.
    where: ({ id }, [value]) => sql`${id} in (
      select i.untagged_vlan_id from ${table(to)} i
      where i.id = ${value}::bigint and i.untagged_vlan_id is not null
      union all
      select j.vlan_id from ${table(`${to}.tagged_vlans`)} j
      where j.${identifier(key)} = ${value}::bigint
    )`,
  })

const deviceColumn = (column: string, id: Sql): Sql =>
  sql`select d.${identifier(column)} from ${table('dcim.device')} d where d.id = ${id}`
const clusterColumn = (column: string, cluster: Sql): Sql =>
  sql`select k.${identifier(column)} from ${table('virtualization.cluster')} k where k.id = (${cluster})`
const clusterOf = (id: Sql): Sql =>
  sql`select m.cluster_id from ${table('virtualization.virtualmachine')} m where m.id = ${id}`
/** A virtual machine's own site, or that of its cluster. */
const siteOfMachine = (id: Sql): Sql => sql`
  select coalesce(m.site_id, k._site_id)
  from ${table('virtualization.virtualmachine')} m
  left join ${table('virtualization.cluster')} k on k.id = m.cluster_id
  where m.id = ${id}`

export const vlanFilters = {
  available_at_site: available(
    'dcim.site',
    (id) => coversOfSite(sql`select ${id}`),
    (id) => sql`select ${id}`,
  ),
  available_at_site_group: available(
    'dcim.sitegroup',
    (id) => [['dcim.sitegroup', ancestors('dcim.sitegroup', sql`select ${id}`)]],
    () => sql`select null::bigint`,
  ),
  available_on_device: available(
    'dcim.device',
    (id) => [
      ...coversOfSite(deviceColumn('site_id', id)),
      ['dcim.location', ancestors('dcim.location', deviceColumn('location_id', id))],
      ['dcim.rack', deviceColumn('rack_id', id)],
      ['virtualization.cluster', deviceColumn('cluster_id', id)],
      ['virtualization.clustergroup', clusterColumn('group_id', deviceColumn('cluster_id', id))],
    ],
    (id) => deviceColumn('site_id', id),
  ),
  available_on_virtualmachine: available(
    'virtualization.virtualmachine',
    (id) => [
      ...coversOfSite(siteOfMachine(id)),
      ['virtualization.cluster', clusterOf(id)],
      ['virtualization.clustergroup', clusterColumn('group_id', clusterOf(id))],
      ['dcim.location', ancestors('dcim.location', clusterColumn('_location_id', clusterOf(id)))],
      ['dcim.region', ancestors('dcim.region', clusterColumn('_region_id', clusterOf(id)))],
      ['dcim.sitegroup', ancestors('dcim.sitegroup', clusterColumn('_site_group_id', clusterOf(id)))],
    ],
    siteOfMachine,
  ),
  related_to_site: relatedToSite,
  interface_id: carriedBy('dcim.interface', 'interface_id'),
  vminterface_id: carriedBy('virtualization.vminterface', 'vminterface_id'),
}
