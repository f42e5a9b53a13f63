import { behaviour, type Change, type Normalizer, type Rule } from '../../schema/rule.ts'
import { fillComponentPlace } from './component-place.rules.ts'
import { consolePort } from './console-port.ts'
import { consoleServerPort } from './console-server-port.ts'
import { frontPort } from './front-port.ts'
import { deviceInterface } from './interface.ts'
import { inventoryItem } from './inventory-item.ts'
import { powerOutlet } from './power-outlet.ts'
import { powerPort } from './power-port.ts'
import { rearPort } from './rear-port.ts'

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
  return parent.device === next.device
    ? undefined
    : { parent: `${parent.display} belongs to another device.` }
}

const childrenComeAlong: ItemRule = async ({ next, previous, read }) => {
  if (!previous || previous.device === next.device) return
  const child = await read.find(inventoryItem, { parent: next.id })
  return child && child.device !== next.device
    ? { __all__: 'An item with items below it cannot be moved to another device.' }
    : undefined
}

/** A new item must be in the device of its component; an item that moves loses its component. */
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

export const inventoryItemBehaviour = behaviour(inventoryItem, {
  modelRules: [parentIsInDevice, childrenComeAlong, componentIsInDevice],
  beforeSave: [fillComponentPlace, leaveComponentBehind],
})
