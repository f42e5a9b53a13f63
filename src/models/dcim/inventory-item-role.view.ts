import { organizationalView } from '../organizational-view.ts'

export const inventoryItemRoleView = organizationalView('dcim.inventoryitemrole', {
  heading: 'Inventory Item Role',
  counts: { inventoryitem_count: 'Items' },
  fields: ['color'],
  moreColumns: ['id', 'slug', 'comments', 'tags', 'owner.group', 'owner'],
  importRequires: ['color'],
})
