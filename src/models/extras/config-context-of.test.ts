import { describe, expect, it } from 'vitest'
import { mergeContext } from './config-context-of.ts'

describe('a later context takes precedence over an earlier one', () => {
  it.each([
    ['different names are combined', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['objects are merged name by name', { n: { a: 1, b: 1 } }, { n: { b: 2 } }, { n: { a: 1, b: 2 } }],
    ['a list replaces a list', { ntp: ['x', 'y'] }, { ntp: ['z'] }, { ntp: ['z'] }],
    ['a text replaces an object', { n: { a: 1 } }, { n: 'x' }, { n: 'x' }],
    ['an empty object replaces other values too', { n: { a: 1 } }, { n: {} }, { n: {} }],
    ['null is a value', { n: 1 }, { n: null }, { n: null }],
  ])('%s', (_name, base, over, expected) => {
    expect(mergeContext(base, over)).toEqual(expected)
  })
})
