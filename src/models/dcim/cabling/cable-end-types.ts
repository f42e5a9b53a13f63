import { words } from '../../../schema/view.ts'
/** Types of objects that can be connected to each other by a cable. Symmetric. */
export const COMPATIBLE_ENDS: Readonly<Record<string, readonly string[]>> = {
  'circuits.circuittermination': words(`
    dcim.interface dcim.frontport dcim.rearport circuits.circuittermination
  `),
  'dcim.consoleport': ['dcim.consoleserverport', 'dcim.frontport', 'dcim.rearport'],
  'dcim.consoleserverport': ['dcim.consoleport', 'dcim.frontport', 'dcim.rearport'],
  'dcim.interface': words(`
    dcim.interface circuits.circuittermination dcim.frontport dcim.rearport
  `),
  'dcim.frontport': words(`
    dcim.consoleport dcim.consoleserverport dcim.interface dcim.frontport dcim.rearport
    circuits.circuittermination
  `),
  'dcim.rearport': words(`
    dcim.consoleport dcim.consoleserverport dcim.interface dcim.frontport dcim.rearport
    circuits.circuittermination
  `),
  'dcim.powerfeed': ['dcim.powerport'],
  'dcim.poweroutlet': ['dcim.powerport'],
  'dcim.powerport': ['dcim.poweroutlet', 'dcim.powerfeed'],
}

/** Whether a cable may end at objects of the type at all. */
export const isCableable = (type: string): boolean => type in COMPATIBLE_ENDS

export const areCompatible = (left: string, right: string): boolean => COMPATIBLE_ENDS[left]?.includes(right) === true

/** Types at which paths start and end; paths pass through the others. */
const ENDPOINTS = [
  'dcim.consoleport',
  'dcim.consoleserverport',
  'dcim.interface',
  'dcim.powerfeed',
  'dcim.poweroutlet',
  'dcim.powerport',
] as const
export const PATH_ENDPOINTS: readonly string[] = ENDPOINTS
export const isPathEndpoint = (type: string): boolean => PATH_ENDPOINTS.includes(type)
