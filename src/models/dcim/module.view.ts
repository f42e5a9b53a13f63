import { fieldGroup, modelView } from '../../schema/view.ts'

export const moduleView = modelView('dcim.module', {
  context: ['device', 'module_bay'],
  columns: [
    'id',
    'device',
    'module_bay',
    'module_type.manufacturer',
    'module_type',
    'status',
    'serial',
    'asset_tag',
  ],
  panels: [
    [
      fieldGroup('Module', [
        'device',
        'device.device_type',
        'module_bay',
        'status',
        'description',
        'serial',
        'asset_tag',
      ]),
    ],
  ],
  form: [
    fieldGroup('Module', ['device', 'module_bay', 'module_type', 'status', 'description', 'tags']),
    fieldGroup('Hardware', ['serial', 'asset_tag', 'replicate_components', 'adopt_components']),
    fieldGroup('', ['owner', 'comments']),
  ],
  narrowedBy: { module_bay: { device_id: 'device' } },
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Location', [
      'region_id',
      'site_group_id',
      'site_id',
      'location_id',
      'rack_id',
      'device_id',
    ]),
    fieldGroup('Hardware', [
      'profile_id',
      'manufacturer_id',
      'module_type_id',
      'status',
      'serial',
      'asset_tag',
    ]),
    fieldGroup('Ownership', ['owner_group_id', 'owner_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['module_type', 'status', 'serial', 'description']),
    fieldGroup('More', ['owner', 'comments']),
  ],
  importRequires: ['status'],
  imports: [
    'device.name',
    'module_bay.name',
    'module_type.model',
    'serial',
    'asset_tag',
    'status',
    'description',
    'owner.name',
    'comments',
    'replicate_components',
    'adopt_components',
    'tags.slug',
  ],
  search: {
    weights: { asset_tag: 50, serial: 60, description: 500, comments: 5000 },
    shown: ['device', 'module_bay', 'module_type', 'status', 'serial', 'asset_tag', 'description'],
  },
})
