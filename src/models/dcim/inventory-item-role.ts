import { color, relatedCount } from '../../schema/field.ts'
import { organizational } from '../organizational.ts'

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
