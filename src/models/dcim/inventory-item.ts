import { choices } from '../../schema/choices.ts'
import { description } from '../../schema/common.ts'
import { boolean, choice, foreignKey, genericForeignKey, text } from '../../schema/field.ts'
import { textFilter } from '../../schema/filter.ts'
import { treeDepth } from '../../schema/tree.ts'
import { component, labelled, ofDevice } from './component.ts'

export const inventoryItemStatus = choices([
  ['offline', 'Offline', 'gray'],
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['staged', 'Staged', 'blue'],
  ['failed', 'Failed', 'red'],
  ['decommissioning', 'Decommissioning', 'yellow'],
])

/** A part of a device that has no function in the inventory. Items form a tree. */
export const inventoryItem = component({
  name: 'dcim.inventoryitem',
  path: 'dcim/inventory-items',
  labels: ['inventory item', 'inventory items'],

  fields: {
    ...ofDevice('inventoryitems'),
    parent: foreignKey('dcim.inventoryitem', {
      onDelete: 'cascade',
      related: 'child_items',
      nullable: true,
      resetOnPut: true,
      bare: true,
      write: 'id',
    }),
    ...labelled,
    status: choice(inventoryItemStatus, { default: 'active' }),
    role: foreignKey('dcim.inventoryitemrole', { related: 'inventory_items', nullable: true }),
    manufacturer: foreignKey('dcim.manufacturer', {
      related: 'inventory_items',
      nullable: true,
      resetOnPut: true,
    }),
    part_id: text({ max: 50, default: '', label: 'Part ID' }),
    serial: text({ max: 50, default: '', label: 'Serial number' }),
    asset_tag: text({ max: 50, nullable: true, unique: true, blank: true }),
    discovered: boolean({ default: false }),
    description,
    component: genericForeignKey(
      [
        'dcim.consoleport',
        'dcim.consoleserverport',
        'dcim.frontport',
        'dcim.interface',
        'dcim.poweroutlet',
        'dcim.powerport',
        'dcim.rearport',
      ],
      { nullable: true, related: 'inventory_items' },
    ),
  },
  derived: {
    _depth: treeDepth,
  },

  brief: ['id', 'url', 'display', 'device', 'name', 'description', '_depth'],
  order: ['_sort', 'id'],
  orderAsRelation: ['device.id', 'parent.id', 'name'],
  search: ['description', 'asset_tag', 'serial', 'name', 'part_id'],
  unique: [{ fields: ['device', 'parent', 'name'] }],
  naturalKey: ['device', 'parent', 'name'],

  filters: {
    serial: textFilter('serial', { default: 'ie' }),
  },
  tree: { parent: 'parent', orderBy: 'id' },
})
