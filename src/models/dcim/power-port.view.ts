import { fieldGroup, modelView } from '../../schema/view.ts'

export const powerPortView = modelView('dcim.powerport', {
  context: ['device'],
  columns: ['name', 'device', 'label', 'type', 'maximum_draw', 'allocated_draw', 'description'],
  panels: [
    [
      fieldGroup('Power port', [
        'device',
        'module',
        'name',
        'label',
        'type',
        'description',
        'maximum_draw',
        'allocated_draw',
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
      'maximum_draw',
      'allocated_draw',
      'mark_connected',
      'description',
      'tags',
    ]),
    fieldGroup('', ['owner']),
  ],
  narrowedBy: { module: { device_id: 'device' } },
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Attributes', ['name', 'label', 'type']),
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
    fieldGroup('', ['module', 'type', 'label', 'description', 'mark_connected']),
    fieldGroup('Power', ['maximum_draw', 'allocated_draw']),
    fieldGroup('More', ['owner', 'device']),
  ],
  imports: [
    'device.name',
    'name',
    'label',
    'type',
    'mark_connected',
    'maximum_draw',
    'allocated_draw',
    'description',
    'owner.name',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, label: 200, description: 500, maximum_draw: 2000, allocated_draw: 2000 },
    shown: ['device', 'label', 'type', 'description'],
  },
})
