import { choices } from '../../schema/choices.ts'

/** Units of distance. */
export const distanceUnit = choices([
  ['km', 'Kilometers'],
  ['m', 'Meters'],
  ['mi', 'Miles'],
  ['ft', 'Feet'],
])

/** Units of weight. */
export const weightUnit = choices([
  ['kg', 'Kilograms'],
  ['g', 'Grams'],
  ['lb', 'Pounds'],
  ['oz', 'Ounces'],
])
