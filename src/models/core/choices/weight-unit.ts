import { choices } from '../../../schema/choices.ts'

/** Values of weight Unit. */
export const weightUnit = choices([
  ['kg', 'Kilograms'],
  ['g', 'Grams'],
  ['lb', 'Pounds'],
  ['oz', 'Ounces'],
])
