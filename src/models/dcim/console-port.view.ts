import { fieldGroup, modelView } from '../../schema/view.ts'

export const consolePortView = modelView('dcim.consoleport', {
  context: ['device'],
  columns: ['name', 'device', 'label', 'type', 'speed', 'description'],
  panels: [
    [
      fieldGroup('Console port', [
        'device',
        'module',
        'name',
        'label',
        'type',
        'speed',
        'description',
      ]),
    ],
  ],
  form: [
    fieldGroup('', [
      'device',
      'module',
      'name',
      'label',
      'type',
      'speed',
      'mark_connected',
      'description',
      'tags',
    ]),
    fieldGroup('', ['owner']),
  ],
  narrowedBy: { module: { device_id: 'device' } },
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Attributes', ['name', 'label', 'type', 'speed']),
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id', 'rack_id']),
    fieldGroup('Device', [
      'tenant_id',
      'device_type_id',
      'device_role_id',
      'device_id',
      'device_status',
      'virtual_chassis_id',
    ]),
    fieldGroup('Connection', ['cabled', 'connected', 'occupied']),
    fieldGroup('Ownership', ['owner_group_id', 'owner_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['module', 'type', 'label', 'speed', 'description', 'mark_connected']),
    fieldGroup('More', ['owner', 'device']),
  ],
  imports: [
    'device.name',
    'name',
    'label',
    'type',
    'speed',
    'mark_connected',
    'description',
    'owner.name',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, label: 200, description: 500, speed: 2000 },
    shown: ['device', 'label', 'type', 'description'],
  },
})
