import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { boolean, dateTime, foreignKey, integer, json, manyToMany, text } from '../../schema/field.ts'
import { booleanFilter, byIdAnd, related } from '../../schema/filter.ts'
import { isJsonObject } from '../../schema/json.ts'
import { checkSchema } from '../../schema/json-schema.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Refusal, type Rule } from '../../schema/rule.ts'
import { textContains } from '../../schema/search-term.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { configContextProfile } from './config-context-profile.ts'
import { fileIsUsable, followDataFile } from './data-file.rules.ts'
import { CONTEXT_DATA } from './file-content.ts'

/** Data that applies to the devices and virtual machines that match its conditions. */
export const configContext = model({
  name: 'extras.configcontext',
  path: 'extras/config-contexts',
  labels: ['config context', 'config contexts'],
  about: 'Data for templates that devices get by their site, role, tags and more.',

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
    dynamic_groups: manyToMany('extras.dynamicgroup', { related: '+' }),
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
    assigned_dynamic_group_id: related('dynamic_groups', 'extras.dynamicgroup'),
  },
  features: [...LOGGED, 'cloning', 'customLinks', 'syncedData'],
  actions: ['sync'],
})

/** Both errors are reported together, as in NetBox 4.6.8. */
const dataFits: Rule<typeof configContext.fields> = async ({ next, read }) => {
  const { data, profile: id } = next
  const isFilled = isJsonObject(data) && Object.keys(data).length > 0
  const refusal: Refusal = isFilled ? {} : { data: 'Context data must be an object of values by name.' }
  if (id === null || !isJsonObject(data)) return refusal
  const { schema, display } = await read.get(configContextProfile, id)
  const isChecked = isJsonObject(schema) && Object.keys(schema).length > 0
  const complaint = isChecked ? checkSchema(schema, data) : undefined
  return complaint ? { ...refusal, __all__: `Profile ${display}: ${complaint}` } : refusal
}

export const configContextModel = registered(configContext, {
  behaviour: behaviour(configContext, {
    normalize: [followDataFile(CONTEXT_DATA)],
    modelRules: [fileIsUsable(CONTEXT_DATA), dataFits],
  }),
  columns: words('name weight profile is_active description'),
  moreColumns: { without: words('site_groups device_types owner.group'), plus: ['data_synced'] },
  labels: { ...titled('data_source data_file'), is_active: 'Active' },
  formLabels: { data_file: 'File' },
  panels: { 'Config Context': words('name weight profile description is_active') },
  cloned: words(`
    weight profile is_active regions site_groups sites locations device_types roles platforms
    cluster_types cluster_groups clusters tenant_groups tenants tags dynamic_groups data
  `),
  form: {
    'Config Context': words('name weight profile description data is_active'),
    'Data Source': words('data_source data_file auto_sync_enabled'),
    Assignment: words(`
      regions site_groups sites locations device_types roles platforms cluster_types cluster_groups
      clusters tenant_groups tenants tags dynamic_groups
    `),
  },
  narrowedBy: { data_file: { source_id: 'data_source' } },
  filters: {
    '': ['tag_id'],
    'Config Context': ['profile_id'],
    Data: words('data_source_id data_file_id'),
    Location: words('region_id site_group_id site_id location_id'),
    Device: words('device_type_id platform_id device_role_id'),
    Cluster: words('cluster_type_id cluster_group_id cluster_id'),
    Tenant: words('tenant_group_id tenant_id'),
  },
  bulkEdit: words('weight profile is_active description'),
})

/** Context data is merged key by key, so it must be an object. */
export const localContextIsObject = ({
  next,
}: {
  readonly next: { readonly local_context_data: unknown }
}): Refusal | undefined => {
  const { local_context_data: data } = next
  return data === null || (typeof data === 'object' && !Array.isArray(data))
    ? undefined
    : { local_context_data: 'Context data must be a JSON object.' }
}
