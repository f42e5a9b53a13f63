import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import {
  choice,
  derived,
  foreignKey,
  genericForeignKey,
  relatedCount,
  text,
} from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { modelView, tab, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { SCOPES, scopeCache, scopeFilters } from '../dcim/scope.ts'

export const clusterStatus = choices([
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

  filters: {
    ...scopeFilters,
  },
  features: [...PRIMARY, 'contacts'],
})

export const clusterView = modelView(cluster, {
  context: words('type scope'),
  columns: words('name type group status tenant device_count'),
  moreColumns: words(`
    id tenant.group scope scope_type description comments tags created last_updated owner.group
    owner
  `),
  labels: {
    scope_type: 'Scope Type',
  },
  panels: [
    {
      Cluster: words('name type status description group tenant scope'),
    },
    {
      Resources: words('allocated_vcpus allocated_memory allocated_disk'),
    },
  ],
  overview: [
    { model: 'virtualization.virtualmachine', by: { cluster_id: 'id' } },
    { model: 'dcim.device', by: { cluster_id: 'id' } },
  ],
  tabs: [
    tab(
      'virtual-machines',
      'virtualization.virtualmachine',
      { cluster_id: 'id' },
      { hiddenIfEmpty: false },
    ),
    tab('devices', 'dcim.device', { cluster_id: 'id' }, { hiddenIfEmpty: false }),
  ],
  cloned: words('scope type group status tenant'),
  form: {
    Cluster: words('name type group status description tags'),
    Scope: ['scope'],
  },
  filters: {
    Attributes: words('group_id type_id status'),
    Scope: words('region_id site_group_id site_id location_id'),
  },
  bulkEdit: {
    '': words('type group status tenant description'),
    Scope: ['scope'],
  },
  importColumns: {
    scope_name: { to: { typeIn: 'scope_type' }, assigns: 'scope' },
    site: { to: 'dcim.site', assigns: 'scope' },
  },
  importRequires: ['status'],
  imports: words(`
    name type.name group.name status scope_type scope_name scope_id tenant.name description
    owner.name comments tags.slug site.name
  `),
  search: { shown: words('type group status tenant scope description') },
})
