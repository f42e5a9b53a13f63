import { choices } from '../../../schema/choices.ts'

/** Values of power Outlet Feed Leg. */
export const powerOutletFeedLeg = choices([
  ['A', 'A'],
  ['B', 'B'],
  ['C', 'C'],
])
