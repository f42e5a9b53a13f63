import { choices } from '../../../schema/choices.ts'

/** Values of rack Dimension Unit. */
export const rackDimensionUnit = choices([
  ['mm', 'Millimeters'],
  ['in', 'Inches'],
])
