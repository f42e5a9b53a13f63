import { choices } from '../../../schema/choices.ts'

/** Ends of a cable. */
export const cableEnd = choices([
  ['A', 'A'],
  ['B', 'B'],
])
