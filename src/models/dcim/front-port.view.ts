import { fieldGroup, modelView } from '../../schema/view.ts'
import { rearPortColumns, rearPortOf } from './rear-port-columns.ts'

export const frontPortView = modelView('dcim.frontport', {
  context: ['device'],
  columns: ['name', 'device', 'label', 'type', 'color', 'positions', 'description'],
  panels: [
    [
      fieldGroup('Front port', [
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
      'rear_ports',
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
  importColumns: rearPortColumns('dcim.rearport'),
  importBody: rearPortOf,
  importRequires: ['positions', 'rear_port'],
  imports: [
    'device.name',
    'name',
    'label',
    'type',
    'color',
    'mark_connected',
    'positions',
    'rear_port.name',
    'rear_port_position',
    'description',
    'owner.name',
    'tags.slug',
  ],
  search: {
    weights: { name: 100, label: 200, description: 500 },
    shown: ['device', 'label', 'type', 'description'],
  },
})
