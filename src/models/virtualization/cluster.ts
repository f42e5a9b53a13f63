import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, derived, foreignKey, genericForeignKey, relatedCount, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EffectFunction, type Rule } from '../../schema/rule.ts'
import { registered, tab, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table, updateTable } from '../../sql/table.ts'
import { device } from '../dcim/device.ts'
import { fillScopePlaces, SCOPES, scopeCache, scopeFilters, scopePlaces, scopeTypeNeedsObject } from '../dcim/scope.ts'

const clusterStatus = choices([
  ['planned', 'Planned', 'cyan'],
  ['staging', 'Staging', 'blue'],
  ['active', 'Active', 'green'],
  ['decommissioning', 'Decommissioning', 'yellow'],
  ['offline', 'Offline', 'red'],
])

/** Hosts that run virtual machines together. */
export const cluster = model({
  name: 'virtualization.cluster',
  path: 'virtualization/clusters',
  labels: ['cluster', 'clusters'],
  about: 'Hosts that run virtual machines together.',

  fields: {
    name: text({ max: 100, collation: 'natural' }),
    type: foreignKey('virtualization.clustertype', { related: 'clusters' }),
    group: foreignKey('virtualization.clustergroup', {
      related: 'clusters',
      nullable: true,
      resetOnPut: true,
    }),
    status: choice(clusterStatus, { default: 'active' }),
    tenant,
    scope: genericForeignKey(SCOPES, {
      nullable: true,
      resetOnPut: true,
      onDelete: 'keep',
      related: 'clusters',
    }),
    description,
    owner,
    comments,
    ...housekeeping,
    device_count: relatedCount('dcim.device', 'cluster'),
    virtualmachine_count: relatedCount('virtualization.virtualmachine', 'cluster'),
    allocated_vcpus: derived(
      'decimal',
      (column) =>
        sql`(select sum(m.vcpus) from ${table('virtualization.virtualmachine')} m where m.cluster_id = ${column('id')})`,
      { ofEndpoint: true, nullable: true, digits: 8, places: 2 },
    ),
    allocated_memory: derived(
      'integer',
      (column) =>
        sql`(select sum(m.memory) from ${table('virtualization.virtualmachine')} m where m.cluster_id = ${column('id')})`,
      { ofEndpoint: true, nullable: true, unit: 'MB' },
    ),
    allocated_disk: derived(
      'integer',
      (column) =>
        sql`(select sum(m.disk) from ${table('virtualization.virtualmachine')} m where m.cluster_id = ${column('id')})`,
      { ofEndpoint: true, nullable: true, unit: 'MB' },
    ),
    ...scopeCache,
  },

  graphql: { optional: ['type'] },
  brief: ['id', 'url', 'display', 'name', 'description', 'virtualmachine_count'],
  naturalKey: ['name'],
  order: ['name'],
  search: ['comments', 'name', 'description'],
  unique: [{ fields: ['group', 'name'] }, { fields: ['_site', 'name'] }],

  filters: { ...scopeFilters },
  features: [...PRIMARY, 'contacts'],
})

/** Copies the site of a cluster, if it has one, to its virtual machines. */
const passOnClusterSite: EffectFunction<typeof cluster.fields> = async ({ action, rows, database }) => {
  const ids = rows.flatMap(({ next }) => (next && next._site !== null ? [next.id] : []))
  if (action !== 'update' || ids.length === 0) return
  await database.execute(sql`
    ${updateTable('virtualization.virtualmachine')} m set site_id = c._site_id
    from ${table('virtualization.cluster')} c
    where c.id = m.cluster_id and c.id = any(${ids}::bigint[])
      and m.site_id is distinct from c._site_id`)
}

type ClusterRule = Rule<typeof cluster.fields>

/** Checks that hosts are within the cluster's scope. NetBox 4.6.8 virtualization/models/clusters.py. */
const hostsAreInScope: ClusterRule = async ({ next, previous, read }) => {
  if (!previous) return
  const { _site: site, _location: location } = await scopePlaces(read, next.scope_type, next.scope_id)
  if (site === null) return
  const hosts = await read.all(device, { cluster: next.id })
  const strangers = hosts.filter((host) => host.site !== site || (location !== null && host.location !== location))
  return strangers.length > 0 ? { scope: `The cluster has hosts in other places: ${strangers.length}.` } : undefined
}

/** The site is derived from the scope when the cluster is saved, too late for the usual check. */
const nameIsFreeInSite: ClusterRule = async ({ next, read }) => {
  const { _site: site } = await scopePlaces(read, next.scope_type, next.scope_id)
  if (site === null) return
  const duplicate = await read.find(cluster, { _site: site, name: next.name }, { not: next.id })
  if (!duplicate) return
  return {
    __all__: (await read.shows(cluster, duplicate.id))
      ? 'The site already has a cluster with this name.'
      : 'These values cannot be combined.',
  }
}

export const clusterModel = registered(cluster, {
  behaviour: behaviour(cluster, {
    serializerRules: [scopeTypeNeedsObject],
    modelRules: [hostsAreInScope, nameIsFreeInSite],
    beforeSave: [fillScopePlaces],
    afterWrite: [passOnClusterSite],
  }),
  context: words('type scope'),
  columns: words('name type group status tenant device_count'),
  moreColumns: { plus: ['scope_type'] },
  labels: { scope_type: 'Scope Type' },
  panels: [
    { Cluster: words('name type status description group tenant scope') },
    { Resources: words('allocated_vcpus allocated_memory allocated_disk') },
  ],
  overview: [
    { model: 'virtualization.virtualmachine', by: { cluster_id: 'id' } },
    { model: 'dcim.device', by: { cluster_id: 'id' } },
  ],
  tabs: [
    tab('virtual-machines', 'virtualization.virtualmachine', { cluster_id: 'id' }, { hiddenIfEmpty: false }),
    tab('devices', 'dcim.device', { cluster_id: 'id' }, { hiddenIfEmpty: false }),
  ],
  cloned: words('scope type group status tenant'),
  form: { Cluster: words('name type group status description tags'), Scope: ['scope'] },
  filters: {
    Attributes: words('group_id type_id status'),
    Scope: words('region_id site_group_id site_id location_id'),
  },
  bulkEdit: { '': words('type group status tenant description'), Scope: ['scope'] },
  importColumns: {
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
    site: { to: 'dcim.site', assigns: 'scope' },
  },
  importRequires: ['status'],
  imports: { plus: words('scope_type scope_id') },
  search: { shown: words('type group status tenant scope description') },
})
