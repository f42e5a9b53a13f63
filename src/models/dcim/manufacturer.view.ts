import { fieldGroup, modelView } from '../../schema/view.ts'

export const manufacturerView = modelView('dcim.manufacturer', {
  columns: [
    'name',
    'devicetype_count',
    'moduletype_count',
    'inventoryitem_count',
    'platform_count',
    'description',
    'slug',
  ],
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
  labels: {
    devicetype_count: 'Device Types',
    moduletype_count: 'Module Types',
    inventoryitem_count: 'Inventory Items',
    platform_count: 'Platforms',
  },
  panels: [[fieldGroup('Manufacturer', ['name', 'description'])]],
  form: [fieldGroup('Manufacturer', ['name', 'slug', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['description'])],
  imports: ['name', 'slug', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
