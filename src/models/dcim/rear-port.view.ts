import { fieldGroup, modelView } from '../../schema/view.ts'

export const rearPortView = modelView('dcim.rearport', {
  context: ['device'],
  columns: ['name', 'device', 'label', 'type', 'color', 'positions', 'description'],
  panels: [
    [
      fieldGroup('Rear port', [
        'device',
        'module',
        'name',
        'label',
        'type',
        'color',
        'positions',
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
      'color',
      'positions',
      'mark_connected',
      'description',
      'tags',
    ]),
    fieldGroup('', ['owner']),
  ],
  narrowedBy: { module: { device_id: 'device' } },
  filters: [
    fieldGroup('', ['tag']),
    fieldGroup('Attributes', ['name', 'label', 'type', 'color']),
    fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id', 'rack_id']),
    fieldGroup('Device', [
      'tenant_id',
      'device_type_id',
      'device_role_id',
      'device_id',
      'device_status',
      'virtual_chassis_id',
    ]),
    fieldGroup('Cable', ['cabled', 'occupied']),
    fieldGroup('Ownership', ['owner_group_id', 'owner_id']),
  ],
  bulkEdit: [
    fieldGroup('', ['module', 'type', 'label', 'color', 'description', 'mark_connected']),
    fieldGroup('More', ['owner', 'device']),
  ],
  importRequires: ['positions'],
  imports: [
    'device.name',
    'name',
    'label',
    'type',
    'color',
    'mark_connected',
    'positions',
    'description',
    'owner.name',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, label: 200, description: 500 },
    shown: ['device', 'label', 'type', 'description'],
  },
})
