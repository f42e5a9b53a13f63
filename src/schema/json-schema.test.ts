import { describe, expect, it } from 'vitest'
import { checkSchema, complainOfSchema } from './json-schema.ts'

const chain = (length: number) => ({
  ...Object.fromEntries(
    Array.from({ length }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` }
      return [`d${index}`, { anyOf: [next, next] }]
    }),
  ),
  [`d${length}`]: { type: 'string' },
})

describe('a schema that could take very long', () => {
  it.each<readonly [string, object, string]>([
    ['whose parts refer to others twice', { $defs: chain(40), $ref: '#/$defs/d0' }, 'it has more than 2000 values'],
    ['that refers to itself', { properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } }, '# refers to itself'],
    [
      'with thousands of properties',
      { properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`a${i}`, {}])) },
      'it has more than 2000 values',
    ],
    [
      'with references that lead elsewhere',
      { $defs: { a: { $id: 'urn:a', $ref: '#/$defs/b' } } },
      'only the whole schema may have an $id',
    ],
    ['with an anchor', { $ref: '#a' }, '#a is not a reference'],
    ['with a dynamic reference', { $dynamicRef: '#a' }, '$dynamicRef is not supported'],
    ['with a reference to another address', { $ref: 'http://a.example/' }, 'is not a reference'],
    ['with a reference to nothing', { $ref: '#/constructor' }, 'refers to nothing'],
  ])('%s is refused', (_what, schema, reason) => {
    const complaint = complainOfSchema(schema)
    expect(complaint).toMatch(/^The JSON schema cannot be used: /)
    expect(complaint).toContain(reason)
    expect(checkSchema(schema, {})).toBe(complaint)
  })
})

describe('a schema', () => {
  it.each<readonly [string, object, unknown, unknown]>([
    ['with references', { $defs: chain(3), $ref: '#/$defs/d0' }, 'a', 1],
    ['with a long list of values', { enum: Array.from({ length: 20_000 }, (_, i) => i) }, 19_999, -1],
    ['with an address', { $id: 'https://a.example/x', $defs: { a: { type: 'string' } }, $ref: '#/$defs/a' }, 'a', 1],
    [
      'that wants different items',
      { uniqueItems: true },
      [{ a: 1, b: [2] }, { a: 1, b: [3] }, 1, '1'],
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
    ],
    [
      'that wants different items of very many',
      { uniqueItems: true },
      Array.from({ length: 50_000 }, (_, i) => ({ i })),
      [{}, {}],
    ],
  ])('%s accepts valid data and refuses invalid data', (_what, schema, fitting, unfitting) => {
    expect(complainOfSchema(schema)).toBeUndefined()
    expect(checkSchema(schema, fitting)).toBeUndefined()
    expect(checkSchema(schema, unfitting)).toMatch(/^The value does not fit the schema: data/)
  })
})
