import { choices } from '../../../schema/choices.ts'

/** Values of cable End. */
export const cableEnd = choices([
  ['A', 'A'],
  ['B', 'B'],
])
