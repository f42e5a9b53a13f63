import { choices } from '../../../schema/choices.ts'

/** Widths of a rack, in inches. */
export const rackWidth = choices([
  [10, '10 inches'],
  [19, '19 inches'],
  [21, '21 inches'],
  [23, '23 inches'],
])
