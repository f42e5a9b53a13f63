import { fieldGroup, modelView } from '../../schema/view.ts'

export const moduleBayView = modelView('dcim.modulebay', {
  context: ['device'],
  columns: ['name', 'device', 'enabled', 'label', 'installed_module', 'description'],
  panels: [
    [fieldGroup('Module bay', ['device', 'module', 'name', 'label', 'position', 'description'])],
    [fieldGroup('Installed Module', ['installed_module'])],
  ],
  form: [
    fieldGroup('', [
      'device',
      'module',
      'name',
      'label',
      'position',
      'enabled',
      'description',
      'tags',
    ]),
    fieldGroup('', ['owner']),
  ],
  narrowedBy: { module: { device_id: 'device' } },
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Attributes', ['name', 'label', 'position', 'enabled']),
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id', 'rack_id']),
    fieldGroup('Device', [
      'tenant_id',
      'device_type_id',
      'device_role_id',
      'device_id',
      'device_status',
      'virtual_chassis_id',
    ]),
    fieldGroup('Ownership', ['owner_group_id', 'owner_id']),
  ],
  bulkEdit: [fieldGroup('', ['label', 'position', 'enabled', 'description'])],
  imports: [
    'device.name',
    'name',
    'label',
    'position',
    'enabled',
    'description',
    'owner.name',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, label: 200, description: 500 },
    shown: ['device', 'label', 'position', 'description'],
  },
})
