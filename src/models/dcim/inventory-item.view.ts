import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { PLACE_FILTERS } from './component-view.ts'

export const inventoryItemView = modelView('dcim.inventoryitem', {
  context: ['device'],
  columns: words('name device label status role manufacturer part_id serial asset_tag'),
  moreColumns: words(`
    id parent component description discovered tags created last_updated device.location device.site
    device.status
  `),
  labels: {
    'device.location': 'Device Location',
    'device.site': 'Device Site',
    'device.status': 'Device Status',
  },
  panels: [
    [
      fieldGroup(
        'Inventory item',
        `
          device parent name label status role component manufacturer part_id serial asset_tag
          description
        `,
      ),
    ],
  ],
  tabs: [
    {
      path: 'children',
      label: 'Children',
      model: 'dcim.inventoryitem',
      by: { parent_id: 'id' },
      hiddenIfEmpty: true,
    },
  ],
  cloned: ['device', 'parent', 'role', 'manufacturer', 'status', 'part_id'],
  form: [
    fieldGroup('Inventory Item', 'device parent name label status role description tags'),
    fieldGroup('Hardware', ['manufacturer', 'part_id', 'serial', 'asset_tag']),
    fieldGroup('Component Assignment', ['component']),
  ],
  narrowedBy: { parent: { device_id: 'device' } },
  filters: [
    fieldGroup(
      'Attributes',
      'name label status role_id manufacturer_id serial asset_tag discovered',
    ),
    ...PLACE_FILTERS,
  ],
  bulkEdit: [
    fieldGroup('', ['device', 'label', 'role', 'manufacturer', 'part_id', 'status', 'description']),
  ],
  importColumns: {
    component_name: { to: { typeIn: 'component_type' }, assigns: 'component' },
  },
  importRequires: ['status'],
  imports: words(`
    device.name name label status role.name manufacturer.name parent.name part_id serial asset_tag
    discovered description owner.name tags.slug component_type component_name
  `),
  search: {
    weights: { asset_tag: 50, serial: 60, name: 100, label: 200, description: 500, part_id: 2000 },
    shown: ['device', 'manufacturer', 'parent', 'part_id', 'serial', 'asset_tag', 'description'],
  },
})
