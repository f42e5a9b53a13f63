import { choices } from '../../schema/choices.ts'
import { description } from '../../schema/common.ts'
import { boolean, choice, foreignKey, genericForeignKey, text } from '../../schema/field.ts'
import { textFilter } from '../../schema/filter.ts'
import { behaviour, type Change, type Normalizer, type Rule } from '../../schema/rule.ts'
import { treeDepth } from '../../schema/tree.ts'
import { registered, tab, titled, words } from '../../schema/view.ts'
import { component, fillComponentPlace, labelled, ofDevice } from './component.ts'
import { PLACE_FILTERS } from './component-view.ts'
import { consolePort, consoleServerPort, frontPort, powerOutlet, powerPort, rearPort } from './components.ts'
import { deviceInterface } from './interface.ts'

const inventoryItemStatus = choices([
  ['offline', 'Offline', 'gray'],
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['staged', 'Staged', 'blue'],
  ['failed', 'Failed', 'red'],
  ['decommissioning', 'Decommissioning', 'yellow'],
])

/** A part of a device that is only recorded, without a function of its own. Items form a tree. */
export const inventoryItem = component({
  name: 'dcim.inventoryitem',
  path: 'dcim/inventory-items',
  labels: ['inventory item', 'inventory items'],
  about: 'A part of a device with a serial number, such as a power supply or a fan.',

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
      words(`
        dcim.consoleport dcim.consoleserverport dcim.frontport dcim.interface dcim.poweroutlet
        dcim.powerport dcim.rearport
      `),
      { nullable: true, related: 'inventory_items' },
    ),
  },
  derived: { _depth: treeDepth },

  brief: ['id', 'url', 'display', 'device', 'name', 'description', '_depth'],
  order: ['name', 'id'],
  earlier: { order: ['_sort', 'id'], tree: { parent: 'parent', orderBy: 'id', isWalked: true } },
  orderAsRelation: ['device.id', 'parent.id', 'name'],
  search: ['description', 'asset_tag', 'serial', 'name', 'part_id'],
  unique: [{ fields: ['device', 'parent', 'name'] }],
  naturalKey: ['device', 'parent', 'name'],

  filters: { serial: textFilter('serial', { default: 'ie' }) },
  tree: { parent: 'parent', orderBy: 'id' },
})

type ItemRule = Rule<typeof inventoryItem.fields>
type ItemChange = Change<typeof inventoryItem.fields>

/** Device of the component that the item belongs to; undefined without one. */
async function deviceOfComponent({ next, read }: ItemChange): Promise<number | undefined> {
  const id = next.component_id
  if (id === null) return undefined
  const find = {
    'dcim.consoleport': () => read.find(consolePort, { id }),
    'dcim.consoleserverport': () => read.find(consoleServerPort, { id }),
    'dcim.frontport': () => read.find(frontPort, { id }),
    'dcim.interface': () => read.find(deviceInterface, { id }),
    'dcim.poweroutlet': () => read.find(powerOutlet, { id }),
    'dcim.powerport': () => read.find(powerPort, { id }),
    'dcim.rearport': () => read.find(rearPort, { id }),
  }[next.component_type ?? '']
  return (await find?.())?.device
}

// A new item's parent may be in another device: NetBox 4.6.8 checks only changes.
const parentIsInDevice: ItemRule = async ({ next, previous, read }) => {
  if (!previous || next.parent === null) return
  const parent = await read.get(inventoryItem, next.parent)
  return parent.device === next.device ? undefined : { parent: `${parent.display} belongs to another device.` }
}

const childrenComeAlong: ItemRule = async ({ next, previous, read }) => {
  if (!previous || previous.device === next.device) return
  const child = await read.find(inventoryItem, { parent: next.id })
  return child && child.device !== next.device
    ? { __all__: 'An item that has child items cannot be moved to another device.' }
    : undefined
}

/** A new item must be in the device of its component; an item that moves to another device loses its component. */
const componentIsInDevice: ItemRule = async (change) => {
  if (change.previous) return
  const device = await deviceOfComponent(change)
  return device === undefined || device === change.next.device
    ? undefined
    : { device: 'The component belongs to another device.' }
}

const leaveComponentBehind: Normalizer<typeof inventoryItem.fields> = async (change) => {
  if (!change.previous) return
  const device = await deviceOfComponent(change)
  return device === undefined || device === change.next.device
    ? undefined
    : { component_type: null, component_id: null }
}

export const inventoryItemModel = registered(inventoryItem, {
  behaviour: behaviour(inventoryItem, {
    modelRules: [parentIsInDevice, childrenComeAlong, componentIsInDevice],
    beforeSave: [fillComponentPlace, leaveComponentBehind],
  }),
  context: ['device'],
  columns: words('name device label status role manufacturer part_id serial asset_tag'),
  moreColumns: { without: words('owner owner.group'), plus: words('device.location device.site device.status') },
  labels: titled('device.location device.site device.status'),
  panels: words(`
    device parent name label status role component manufacturer part_id serial asset_tag description
  `),
  tabs: [tab('children', 'dcim.inventoryitem', { parent_id: 'id' })],
  cloned: words('device parent role manufacturer status part_id'),
  setElsewhere: { discovered: 'the import' },
  form: {
    'Inventory Item': words('device parent name label status role description tags'),
    Hardware: words('manufacturer part_id serial asset_tag'),
    'Component Assignment': ['component'],
  },
  narrowedBy: { parent: { device_id: 'device' }, component: { device_id: 'device' } },
  filters: {
    Attributes: words('name label status role_id manufacturer_id serial asset_tag discovered'),
    ...PLACE_FILTERS,
  },
  bulkEdit: { without: words('parent serial component') },
  importColumns: { component_name: { to: { typeIn: 'component_type' }, assigns: 'component' } },
  importRequires: ['status'],
  imports: { plus: words('discovered component_type') },
  search: {
    weights: { part_id: 2000 },
    shown: words('device manufacturer parent part_id serial asset_tag description'),
  },
})
