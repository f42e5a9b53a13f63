import { describe, expect, it } from 'vitest'
import { compare, literal, recorded, sameKeyOrder } from './compare.ts'
import type { Json } from './json.ts'
import { differencesOf } from './mismatch-cause.ts'
import type { Variables } from './variables.ts'

const causes = (expected: Json, actual: Json, reading = literal): string[] =>
  differencesOf(compare(expected, actual, reading)).map(({ cause }) => cause)

describe('literal documents', () => {
  // recorded, actual → causes
  const cases: readonly [name: string, expected: Json, actual: Json, causes: readonly string[]][] = [
    ['equal in another order of keys', { a: 1, b: [null] }, { b: [null], a: 1 }, []],
    ['numbers by value', 65000.0, 65000, []],
    ['true is not 1', { a: true }, { a: 1 }, ['field a differs']],
    ['0 is not false', { a: 0 }, { a: false }, ['field a differs']],
    ['a text is not a number', { a: '1' }, { a: 1 }, ['field a differs']],
    ['null is not missing', { a: null }, {}, ['field a is missing']],
    ['a key too many', {}, { a: null }, ['field a should not be there']],
    ['an empty object is not an empty list', { a: {} }, { a: [] }, ['field a differs']],
    ['null is not an empty object', { a: {} }, { a: null }, ['field a differs']],
    ['the order of a list', { a: [1, 2] }, { a: [2, 1] }, ['field a.* differs']],
    ['a shorter list', { a: [1, 2] }, { a: [1] }, ['field a.* is missing']],
    ['a longer list', { a: [1] }, { a: [1, 2] }, ['field a.* should not be there']],
    [
      'lists of other objects are one difference',
      { a: [{ id: 1, n: 'x' }] },
      { a: [{ id: 2, n: 'y' }] },
      ['field a holds other objects or another order'],
    ],
    ['the document itself', [], {}, ['the document differs']],
    ['texts that look like matchers are literal', '@any', 'x', ['the document differs']],
    ['braces are literal', '{tag}', '{tag}', []],
  ]
  it.each(cases)('%s', (_name, expected, actual, expectedCauses) => {
    expect(causes(expected, actual)).toEqual(expectedCauses)
  })
})

describe('recorded documents', () => {
  const variables: Variables = new Map<string, Json>([
    ['base', 'http://h'],
    ['tag', 'wabc123'],
    ['site', 12],
    ['whole', { id: 1 }],
  ])
  const admits = (expected: Json, actual: Json): boolean => causes(expected, actual, recorded(variables)).length === 0

  // recorded, actual, whether they match
  const cases: readonly [expected: Json, actual: Json, isMatch: boolean][] = [
    ['@any', null, true],
    ['@any', { a: 1 }, true],
    ['@int', 3, true],
    ['@int', 3.5, false],
    ['@int', '3', false],
    ['@int', true, false],
    ['@string', '', true],
    ['@string', null, false],
    ['@timestamp', '2026-11-21T05:28:30.754110Z', true],
    ['@timestamp', '2026-11-21T05:28:30+02:00', true],
    ['@timestamp', '2026-11-21T05:28:30', false],
    ['@timestamp', '2026-11-21', false],
    ['@date', '2026-11-21', true],
    ['@date', '2026-11-21T00:00:00Z', false],
    ['@uuid', '11111111-2222-3333-4444-555555555555', true],
    ['@uuid', '11111111-2222-3333-4444-55555555555g', false],
    ['@etag', 'W/"2026"', true],
    ['@etag', '2026', false],
    ['#@int', '#41', true],
    ['#@int', '#', false],
    ['a.b @int', 'axb 1', false],
    ['at @minute', 'at 2030-01-01 00:00', true],
    ['{site}', 12, true],
    ['{site}', '12', false],
    ['{base}/api/{site}/', 'http://h/api/12/', true],
    ['{unknown} {{ x }}', '{unknown} {{ x }}', true],
    ['{whole}', { id: 1 }, true],
    ['{whole}', { id: 2 }, false],
    [{ '{tag}_f': 1 }, { wabc123_f: 1 }, true],
    [{ custom_fields: { '{tag}_f': 1 } }, { custom_fields: { wabc123_f: 1, other: 2 } }, true],
    [{ custom_fields: {} }, { custom_fields: { wabc123_g: 2 } }, false],
    [{ other: {} }, { other: { x: 2 } }, false],
  ]
  it.each(cases)('%j and %j: %s', (expected, actual, isMatch) => {
    expect(admits(expected, actual)).toBe(isMatch)
  })
})

it('the order of keys is compared at any depth', () => {
  expect(sameKeyOrder({ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1, c: 2 }] })).toBe(true)
  expect(sameKeyOrder({ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] })).toBe(false)
})
