import { choices } from '../../../schema/choices.ts'

/** Phases of a power outlet. */
export const powerOutletFeedLeg = choices([
  ['A', 'A'],
  ['B', 'B'],
  ['C', 'C'],
])
