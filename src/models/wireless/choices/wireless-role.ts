import { choices } from '../../../schema/choices.ts'

/** Roles of a wireless interface. */
export const wirelessRole = choices([
  ['ap', 'Access point'],
  ['station', 'Station'],
])
