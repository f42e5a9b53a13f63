import type { KindName } from './instantiate.ts'

/** Option in the body that creates a module; it is not stored. */
const instruction = (row: object, name: string, otherwise: boolean): boolean =>
  ((row as Record<string, unknown>)[name] as boolean | undefined) ?? otherwise

/** Whether a new module gets components from the templates of its type. */
export const replicatesComponents = (row: object): boolean =>
  instruction(row, 'replicate_components', true)

/** Whether a new module adopts components of the device that have the templates' names. */
export const adoptsComponents = (row: object): boolean =>
  instruction(row, 'adopt_components', false)

/** Kinds of components in the order in which a module's are created. */
export const KIND_ORDER: readonly KindName[] = [
  'console_port',
  'console_server_port',
  'interface',
  'power_port',
  'power_outlet',
  'rear_port',
  'front_port',
  'module_bay',
]
