import { choices } from '../../../schema/choices.ts'

/** Units of a rack's outer dimensions. */
export const rackDimensionUnit = choices([
  ['mm', 'Millimeters'],
  ['in', 'Inches'],
])
