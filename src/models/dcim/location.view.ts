import { fieldGroup, modelView } from '../../schema/view.ts'

export const locationView = modelView('dcim.location', {
  context: ['site', 'parent'],
  columns: [
    'name',
    'site',
    'status',
    'facility',
    'tenant',
    'rack_count',
    'device_count',
    'description',
  ],
  panels: [
    [
      fieldGroup('Location', [
        'parent',
        'name',
        'description',
        'site',
        'status',
        'tenant',
        'facility',
      ]),
    ],
  ],
  tables: [
    { model: 'dcim.location', by: { parent_id: 'id' }, label: 'Child Locations' },
    {
      model: 'dcim.device',
      by: { location_id: 'id', rack_id: '=null', parent_bay_id: '=null' },
      label: 'Non-Racked Devices',
    },
  ],
  form: [
    fieldGroup('Location', [
      'site',
      'parent',
      'name',
      'slug',
      'status',
      'facility',
      'description',
      'tags',
    ]),
    fieldGroup('Tenancy', ['tenant']),
    fieldGroup('', ['owner', 'comments']),
  ],
  narrowedBy: { parent: { site_id: 'site' } },
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Attributes', [
      'region_id',
      'site_group_id',
      'site_id',
      'parent_id',
      'status',
      'facility',
    ]),
    fieldGroup('Tenant', ['tenant_group_id', 'tenant_id']),
    fieldGroup('Ownership', ['owner_group_id', 'owner_id']),
    fieldGroup('Contacts', ['contact', 'contact_role', 'contact_group']),
  ],
  bulkEdit: [
    fieldGroup('', ['site', 'parent', 'status', 'tenant', 'facility', 'description']),
    fieldGroup('More', ['owner', 'comments']),
  ],
  importRequires: ['status'],
  imports: [
    'site.name',
    'parent.name',
    'name',
    'slug',
    'status',
    'tenant.name',
    'facility',
    'description',
    'owner.name',
    'comments',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, facility: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['site', 'status', 'tenant', 'facility', 'description'],
  },
})
