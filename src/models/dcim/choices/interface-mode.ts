import { choices } from '../../../schema/choices.ts'

/** 802.1Q modes of an interface. */
export const interfaceMode = choices([
  ['access', 'Access'],
  ['tagged', 'Tagged'],
  ['tagged-all', 'Tagged (All)'],
  ['q-in-q', 'Q-in-Q (802.1ad)'],
])
