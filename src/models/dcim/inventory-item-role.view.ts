import { fieldGroup, modelView } from '../../schema/view.ts'

export const inventoryItemRoleView = modelView('dcim.inventoryitemrole', {
  columns: ['name', 'inventoryitem_count', 'color', 'description'],
  moreColumns: ['id', 'slug', 'comments', 'tags', 'owner.group', 'owner'],
  labels: { inventoryitem_count: 'Items' },
  panels: [[fieldGroup('Inventory item role', ['name', 'description', 'color'])]],
  form: [fieldGroup('Inventory Item Role', ['name', 'slug', 'color', 'description', 'tags'])],
  bulkEdit: [fieldGroup('', ['color', 'description'])],
  importRequires: ['color'],
  imports: ['name', 'slug', 'color', 'description', 'owner.name', 'comments', 'tags.slug'],
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
