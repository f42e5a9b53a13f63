import { choices } from '../../../schema/choices.ts'

/** Units of weight. */
export const weightUnit = choices([
  ['kg', 'Kilograms'],
  ['g', 'Grams'],
  ['lb', 'Pounds'],
  ['oz', 'Ounces'],
])
