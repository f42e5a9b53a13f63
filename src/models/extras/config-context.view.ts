import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const configContextView = modelView('extras.configcontext', {
  columns: ['name', 'weight', 'profile', 'is_active', 'description'],
  moreColumns: words(`
    id regions sites locations roles platforms cluster_types cluster_groups clusters tenant_groups
    tenants data_source data_file data_synced tags created last_updated owner
  `),
  labels: { is_active: 'Active', data_source: 'Data Source', data_file: 'Data File' },
  formLabels: { data_file: 'File' },
  panels: [
    [fieldGroup('Config Context', ['name', 'weight', 'profile', 'description', 'is_active'])],
  ],
  cloned: words(`
    weight profile is_active regions site_groups sites locations device_types roles platforms
    cluster_types cluster_groups clusters tenant_groups tenants tags data
  `),
  form: [
    fieldGroup('Config Context', ['name', 'weight', 'profile', 'description', 'data', 'is_active']),
    fieldGroup('Data Source', ['data_source', 'data_file', 'auto_sync_enabled']),
    fieldGroup(
      'Assignment',
      `
        regions site_groups sites locations device_types roles platforms cluster_types
        cluster_groups clusters tenant_groups tenants tags
      `,
    ),
  ],
  narrowedBy: { data_file: { source_id: 'data_source' } },
  filters: [
    fieldGroup('', ['tag_id']),
    fieldGroup('Config Context', ['profile_id']),
    fieldGroup('Data', ['data_source_id', 'data_file_id']),
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id']),
    fieldGroup('Device', ['device_type_id', 'platform_id', 'device_role_id']),
    fieldGroup('Cluster', ['cluster_type_id', 'cluster_group_id', 'cluster_id']),
    fieldGroup('Tenant', ['tenant_group_id', 'tenant_id']),
  ],
  bulkEdit: [fieldGroup('', ['weight', 'profile', 'is_active', 'description'])],
})
