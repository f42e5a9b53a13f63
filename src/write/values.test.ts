import { expect, it } from 'vitest'
import { columnsOf } from '../schema/column.ts'
import { json } from '../schema/field.ts'
import { sameValue } from './values.ts'

it.each([
  { name: 'in another order', other: { b: { d: 2, c: 1 }, a: null }, isSame: true },
  { name: 'with another value', other: { a: null, b: { c: 1, d: 3 } }, isSame: false },
  { name: 'without one of them', other: { b: { c: 1, d: 2 } }, isSame: false },
])('a JSON object with the same names $name: same value is $isSame', ({ other, isSame }) => {
  const [column] = columnsOf('data', json({}))
  if (!column) throw new Error('A JSON field has a column.')
  expect(sameValue(column, { a: null, b: { c: 1, d: 2 } }, other)).toBe(isSame)
})
