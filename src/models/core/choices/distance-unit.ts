import { choices } from '../../../schema/choices.ts'

/** Units of distance. */
export const distanceUnit = choices([
  ['km', 'Kilometers'],
  ['m', 'Meters'],
  ['mi', 'Miles'],
  ['ft', 'Feet'],
])
