import { choices } from '../../../schema/choices.ts'

/** Values of interface Mode. */
export const interfaceMode = choices([
  ['access', 'Access'],
  ['tagged', 'Tagged'],
  ['tagged-all', 'Tagged (All)'],
  ['q-in-q', 'Q-in-Q (802.1ad)'],
])
