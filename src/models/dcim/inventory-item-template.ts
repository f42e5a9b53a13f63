import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { foreignKey, genericForeignKey, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { rulesFor } from '../../schema/rule.ts'
import { treeDepth } from '../../schema/tree.ts'
import { registered, words } from '../../schema/view.ts'
import { staysInType } from './component-template.ts'

/** An inventory item that the devices of a type have. Templates form a tree. */
export const inventoryItemTemplate = model({
  name: 'dcim.inventoryitemtemplate',
  path: 'dcim/inventory-item-templates',
  page: false,
  labels: ['inventory item template', 'inventory item templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'inventoryitemtemplates',
      filter: false,
    }),
    parent: foreignKey('dcim.inventoryitemtemplate', {
      onDelete: 'cascade',
      related: 'child_items',
      nullable: true,
      resetOnPut: true,
      bare: true,
      write: 'id',
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    role: foreignKey('dcim.inventoryitemrole', {
      related: 'inventory_item_templates',
      nullable: true,
    }),
    manufacturer: foreignKey('dcim.manufacturer', {
      related: 'inventory_item_templates',
      nullable: true,
      resetOnPut: true,
    }),
    part_id: text({ max: 50, default: '', label: 'Part ID' }),
    description,
    component: genericForeignKey(
      words(`
        dcim.consoleporttemplate dcim.consoleserverporttemplate dcim.frontporttemplate
        dcim.interfacetemplate dcim.poweroutlettemplate dcim.powerporttemplate dcim.rearporttemplate
      `),
      { nullable: true, onDelete: 'keep' },
    ),
    ...timestamps,
    _depth: treeDepth,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'description', '_depth'],
  order: ['device_type.id', 'parent.id', 'name', 'id'],
  earlier: { order: ['_sort', 'id'], tree: { parent: 'parent', orderBy: 'id', isWalked: true } },
  orderAsRelation: ['device_type.id', 'parent.id', 'name'],
  search: ['description', 'name', 'part_id'],
  unique: [{ fields: ['device_type', 'parent', 'name'] }],
  naturalKey: ['device_type', 'parent', 'name'],

  filters: { device_type_id: related('device_type', 'dcim.devicetype') },
  tree: { parent: 'parent', orderBy: 'id' },
  features: LOGGED,
  changeRelates: 'device_type',
})

export const inventoryItemTemplateModel = registered(inventoryItemTemplate, {
  behaviour: rulesFor(inventoryItemTemplate, staysInType),
  context: ['device_type'],
  columns: words('display name description _depth'),
  moreColumns: { without: words('device_type created last_updated') },
  panels: words(`
    device_type parent name label role manufacturer part_id description component_type component_id
    component
  `),
  form: {
    '': words('device_type parent name label role manufacturer part_id description'),
    'Component Assignment': ['component'],
  },
  importColumns: {
    component_type: {},
    component_name: { to: { typeIn: 'component_type' }, assigns: 'component' },
  },
  narrowedBy: { parent: { device_type_id: 'device_type' }, component: { device_type_id: 'device_type' } },
  bulkEdit: words('label description role manufacturer'),
})
