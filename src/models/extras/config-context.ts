import { ownerFilters } from '../users/owner-filters.ts'
import { description, owner, timestamps } from '../../schema/common.ts'
import { boolean, dateTime, foreignKey, integer, json, manyToMany, text } from '../../schema/field.ts'
import { booleanFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { textContains } from '../../schema/search-term.ts'

/** Data that applies to the devices and virtual machines that match its conditions. */
export const configContext = model({
  name: 'extras.configcontext',
  path: 'extras/config-contexts',
  labels: ['config context', 'config contexts'],

  fields: {
    name: text({ max: 100, unique: true }),
    weight: integer({ size: 'small', range: [0, 32767], default: 1000 }),
    profile: foreignKey('extras.configcontextprofile', { onDelete: 'protect', related: 'config_contexts', nullable: true, resetOnPut: true }),
    description,
    is_active: boolean({ default: true }),
    regions: manyToMany('dcim.region', { related: '+' }),
    site_groups: manyToMany('dcim.sitegroup', { related: '+' }),
    sites: manyToMany('dcim.site', { related: '+' }),
    locations: manyToMany('dcim.location', { related: '+' }),
    device_types: manyToMany('dcim.devicetype', { related: '+' }),
    roles: manyToMany('dcim.devicerole', { related: '+' }),
    platforms: manyToMany('dcim.platform', { related: '+' }),
    cluster_types: manyToMany('virtualization.clustertype', { related: '+' }),
    cluster_groups: manyToMany('virtualization.clustergroup', { related: '+' }),
    clusters: manyToMany('virtualization.cluster', { related: '+' }),
    tenant_groups: manyToMany('tenancy.tenantgroup', { related: '+' }),
    tenants: manyToMany('tenancy.tenant', { related: '+' }),
    owner,
    tags: manyToMany('extras.tag', { related: '+', write: 'slug' }),
    data_source: foreignKey('core.datasource', { onDelete: 'protect', related: '+', nullable: true }),
    data_path: text({ max: 1000, default: '', readOnly: true, filter: false }),
    data_file: foreignKey('core.datafile', { onDelete: 'setNull', related: '+', nullable: true }),
    data_synced: dateTime({ nullable: true, readOnly: true }),
    data: json({}),
    ...timestamps,
    auto_sync_enabled: boolean({ default: false, hidden: true }),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['weight', 'name'],
  search: ['name', 'description', textContains('data')],

  filters: {
    ...ownerFilters,
    auto_sync_enabled: booleanFilter('auto_sync_enabled'),
    profile: related('profile', 'extras.configcontextprofile', 'name'),
    region_id: related('regions', 'dcim.region'),
    region: related('regions', 'dcim.region', 'slug'),
    site_group: related('site_groups', 'dcim.sitegroup', 'slug'),
    site_group_id: related('site_groups', 'dcim.sitegroup'),
    site_id: related('sites', 'dcim.site'),
    site: related('sites', 'dcim.site', 'slug'),
    location_id: related('locations', 'dcim.location'),
    location: related('locations', 'dcim.location', 'slug'),
    device_type_id: related('device_types', 'dcim.devicetype'),
    device_role_id: related('roles', 'dcim.devicerole'),
    device_role: related('roles', 'dcim.devicerole', 'slug'),
    platform_id: related('platforms', 'dcim.platform'),
    platform: related('platforms', 'dcim.platform', 'slug'),
    cluster_type_id: related('cluster_types', 'virtualization.clustertype'),
    cluster_type: related('cluster_types', 'virtualization.clustertype', 'slug'),
    cluster_group_id: related('cluster_groups', 'virtualization.clustergroup'),
    cluster_group: related('cluster_groups', 'virtualization.clustergroup', 'slug'),
    cluster_id: related('clusters', 'virtualization.cluster'),
    tenant_group_id: related('tenant_groups', 'tenancy.tenantgroup'),
    tenant_group: related('tenant_groups', 'tenancy.tenantgroup', 'slug'),
    tenant_id: related('tenants', 'tenancy.tenant'),
    tenant: related('tenants', 'tenancy.tenant', 'slug'),
    data_file_id: related('data_file', 'core.datasource'),
  },
  features: ['changeLogging', 'cloning', 'customLinks', 'eventRules', 'syncedData'],
  actions: ['sync'],
})
