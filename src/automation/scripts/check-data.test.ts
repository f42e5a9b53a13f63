import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../schema/json.ts'
import { checkData } from './check-data.ts'
import type { VariableKind } from './declaration.ts'

const check = (type: VariableKind, value: Json, options: JsonObject = {}) =>
  checkData({ v: value }, { v: { type, options } })

const CHOICES = [
  ['a', 'A'],
  ['b', 'B'],
]

it.each<[VariableKind, Json, Json, JsonObject?]>([
  ['string', 'x', 'x'],
  ['string', 5, '5'],
  ['integer', '7', 7, { min: 1, max: 7 }],
  ['decimal', '1.50', '1.50', { min: 1 }],
  ['boolean', true, true],
  ['boolean', null, false],
  ['choice', 'a', 'a', { choices: CHOICES }],
  ['choice', { value: 'b', label: 'B' }, 'b', { choices: CHOICES }],
  ['multiChoice', ['a', 'b'], ['a', 'b'], { choices: CHOICES }],
  ['object', 3, 3],
  ['object', { id: 3, name: 'x' }, 3],
  ['multiObject', ['4', 5], [4, 5]],
  ['ipAddress', '2001:db8::1', '2001:db8::1'],
  ['ipAddressWithMask', '10.0.0.1/24', '10.0.0.1/24'],
  ['ipNetwork', '10.0.0.0/24', '10.0.0.0/24'],
  ['date', '2026-02-28', '2026-02-28'],
  ['dateTime', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00Z'],
  ['file', 'a\nb', 'a\nb'],
  ['text', null, null, { required: false }],
])('%s accepts %j as %j', (type, value, expected, options = {}) => {
  expect(check(type, value, options)).toEqual({ data: { v: expected } })
})

it.each<[VariableKind, Json, string, JsonObject?]>([
  ['string', null, 'This field is required.'],
  ['string', 'ab', 'Ensure this value has at most 1 characters (it has 2).', { maxLength: 1 }],
  ['string', 'ab', 'Enter a valid value.', { pattern: '\\d+' }],
  ['string', [], 'Not a valid string.'],
  ['integer', 1.5, 'Enter a whole number.'],
  ['integer', 0, 'Ensure this value is greater than or equal to 1.', { min: 1 }],
  ['decimal', 'x', 'Enter a number.'],
  ['boolean', 'yes', 'Must be a valid boolean.'],
  ['choice', 'z', 'Select a valid choice. z is not one of the available choices.', { choices: CHOICES }],
  ['multiObject', 3, 'Enter a list of values.'],
  ['object', 'x', 'Enter the id of an object.'],
  ['ipNetwork', 'garbage', 'Enter a valid IPv4 or IPv6 network.'],
  ['date', '2026-13-01', 'Enter a valid date.'],
])('%s refuses %j: %s', (type, value, problem, options = {}) => {
  expect(check(type, value, options)).toEqual({ problems: { v: problem } })
})

it('a variable without data gets its default', () => {
  const variables = { v: { type: 'text', options: { default: 'd' } } } as const
  expect(checkData({}, variables)).toEqual({ data: { v: 'd' } })
})

it('data without a matching variable are passed on', () => {
  expect(checkData({ other: [1] }, {})).toEqual({ data: { other: [1] } })
})

it('data that is not an object is refused', () => {
  expect(checkData('x', {})).toEqual({ problems: { data: 'Expected an object.' } })
})
