import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import {
  boolean,
  dateTime,
  foreignKey,
  integer,
  json,
  manyToMany,
  text,
} from '../../schema/field.ts'
import { booleanFilter, byIdAnd, related } from '../../schema/filter.ts'
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
    profile: foreignKey('extras.configcontextprofile', {
      related: 'config_contexts',
      nullable: true,
      resetOnPut: true,
    }),
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
    data_source: foreignKey('core.datasource', { related: '+', nullable: true }),
    data_path: text({ max: 1000, default: '', readOnly: true, filter: false }),
    data_file: foreignKey('core.datafile', { onDelete: 'setNull', related: '+' }),
    data_synced: dateTime({ nullable: true, readOnly: true, label: 'Date synced' }),
    data: json({}),
    ...timestamps,
    auto_sync_enabled: boolean({ default: false, hidden: true, accepted: true }),
  },

  graphql: { lookups: { data_source_id: 'IntFilterLookup', data_file_id: 'IntFilterLookup' } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['weight', 'name'],
  search: ['name', 'description', textContains('data')],

  filters: {
    auto_sync_enabled: booleanFilter('auto_sync_enabled'),
    profile: related('profile', 'extras.configcontextprofile', 'name'),
    ...byIdAnd('slug', 'region', related('regions', 'dcim.region')),
    site_group: related('site_groups', 'dcim.sitegroup', 'slug'),
    site_group_id: related('site_groups', 'dcim.sitegroup'),
    ...byIdAnd('slug', 'site', related('sites', 'dcim.site')),
    ...byIdAnd('slug', 'location', related('locations', 'dcim.location')),
    device_type_id: related('device_types', 'dcim.devicetype'),
    ...byIdAnd('slug', 'device_role', related('roles', 'dcim.devicerole')),
    ...byIdAnd('slug', 'platform', related('platforms', 'dcim.platform')),
    ...byIdAnd('slug', 'cluster_type', related('cluster_types', 'virtualization.clustertype')),
    ...byIdAnd('slug', 'cluster_group', related('cluster_groups', 'virtualization.clustergroup')),
    cluster_id: related('clusters', 'virtualization.cluster'),
    ...byIdAnd('slug', 'tenant_group', related('tenant_groups', 'tenancy.tenantgroup')),
    ...byIdAnd('slug', 'tenant', related('tenants', 'tenancy.tenant')),
    data_file_id: related('data_file', 'core.datasource'),
    ...byIdAnd('slug', 'tag', related('tags', 'extras.tag')),
  },
  features: [...LOGGED, 'cloning', 'customLinks', 'syncedData'],
  actions: ['sync'],
})
