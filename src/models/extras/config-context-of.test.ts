import { describe, expect, it } from 'vitest'
import { mergeContext } from './config-context-of.ts'

describe('a later context lies over an earlier one', () => {
  it.each([
    ['other names stand beside each other', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    [
      'objects are merged name by name',
      { n: { a: 1, b: 1 } },
      { n: { b: 2 } },
      { n: { a: 1, b: 2 } },
    ],
    ['a list takes the place of a list', { ntp: ['x', 'y'] }, { ntp: ['z'] }, { ntp: ['z'] }],
    ['a text takes the place of an object', { n: { a: 1 } }, { n: 'x' }, { n: 'x' }],
    ['an empty object takes the place too', { n: { a: 1 } }, { n: {} }, { n: {} }],
    ['null is a value', { n: 1 }, { n: null }, { n: null }],
  ])('%s', (_name, base, over, expected) => {
    expect(mergeContext(base, over)).toEqual(expected)
  })
})
