import { color, relatedCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** The function of an inventory item. */
export const inventoryItemRole = organizational({
  name: 'dcim.inventoryitemrole',
  path: 'dcim/inventory-item-roles',
  labels: ['inventory item role', 'inventory item roles'],

  fields: {
    color: color({ default: '9e9e9e' }),
  },
  counts: {
    inventoryitem_count: relatedCount('dcim.inventoryitem', 'role'),
  },
})

export const inventoryItemRoleModel = organizationalModel(inventoryItemRole, {
  counts: ['inventoryitem_count'],
  fields: ['color'],
  moreColumns: { without: words('created last_updated') },
  importRequires: ['color'],
  labels: { inventoryitem_count: 'Items' },
})
