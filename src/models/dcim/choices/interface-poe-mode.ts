import { choices } from '../../../schema/choices.ts'

/** Power over Ethernet modes of an interface. */
export const interfacePoeMode = choices([
  ['pd', 'PD'],
  ['pse', 'PSE'],
])
