import { choices } from '../../../schema/choices.ts'

/** Values of distance Unit. */
export const distanceUnit = choices([
  ['km', 'Kilometers'],
  ['m', 'Meters'],
  ['mi', 'Miles'],
  ['ft', 'Feet'],
])
