import type { ImportedComponents } from '../../schema/import-column.ts'

/** Lists of components in records of module types, as the community's library of types names them. */
const OF_MODULE_TYPES = {
  'console-ports': 'dcim.consoleporttemplate',
  'console-server-ports': 'dcim.consoleserverporttemplate',
  'power-ports': 'dcim.powerporttemplate',
  'power-outlets': 'dcim.poweroutlettemplate',
  interfaces: 'dcim.interfacetemplate',
  'rear-ports': 'dcim.rearporttemplate',
  'front-ports': 'dcim.frontporttemplate',
  'port-mappings': 'dcim.porttemplatemapping',
  'module-bays': 'dcim.modulebaytemplate',
}
const OF_DEVICE_TYPES = {
  ...OF_MODULE_TYPES,
  'device-bays': 'dcim.devicebaytemplate',
  'inventory-items': 'dcim.inventoryitemtemplate',
}

/** Components of a device type or module type. */
export const componentLists = (
  via: 'device_type' | 'module_type',
): Readonly<Record<string, ImportedComponents>> =>
  Object.fromEntries(
    Object.entries(via === 'device_type' ? OF_DEVICE_TYPES : OF_MODULE_TYPES).map(
      ([name, model]) => [name, { model, via }],
    ),
  )
