import { fieldGroup, modelView } from '../../schema/view.ts'

export const deviceBayView = modelView('dcim.devicebay', {
  context: ['device'],
  columns: ['name', 'device', 'label', 'enabled', 'installed_device', 'description'],
  panels: [
    [fieldGroup('Device bay', ['device', 'name', 'label', 'description'])],
    [fieldGroup('Installed Device', ['installed_device', 'installed_device.device_type'])],
  ],
  form: [
    fieldGroup('', ['device', 'name', 'label', 'enabled', 'description', 'tags']),
    fieldGroup('', ['owner']),
  ],
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Attributes', ['name', 'label', 'enabled']),
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
  bulkEdit: [fieldGroup('', ['label', 'enabled', 'description'])],
  imports: [
    'device.name',
    'name',
    'label',
    'enabled',
    'installed_device.name',
    'description',
    'owner.name',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, label: 200, description: 500 },
    shown: ['device', 'label', 'description'],
  },
})
