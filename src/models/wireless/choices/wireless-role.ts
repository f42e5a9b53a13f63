import { choices } from '../../../schema/choices.ts'

/** Values of wireless Role. */
export const wirelessRole = choices([
  ['ap', 'Access point'],
  ['station', 'Station'],
])
