import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { color, relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** What an inventory item is for. */
export const inventoryItemRole = model({
  name: 'dcim.inventoryitemrole',
  path: 'dcim/inventory-item-roles',
  labels: ['inventory item role', 'inventory item roles'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    color: color({ default: '9e9e9e' }),
    description,
    owner,
    comments,
    ...housekeeping,
    inventoryitem_count: relatedCount('dcim.inventoryitem', 'role'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description', 'inventoryitem_count'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: PRIMARY,
})
