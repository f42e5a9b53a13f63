import { choices } from '../../../schema/choices.ts'

/** Values of interface Po EMode. */
export const interfacePoeMode = choices([
  ['pd', 'PD'],
  ['pse', 'PSE'],
])
