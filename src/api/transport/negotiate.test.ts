import { expect, it } from 'vitest'
import { negotiate } from './negotiate.ts'

it.each<[string | undefined, string | undefined, number | string | object]>([
  [undefined, undefined, 0],
  ['*/*', undefined, 0],
  ['application/json', 'json', 0],
  ['application/json; indent=4', undefined, 4],
  ['application/json;indent=400', undefined, 8],
  ['application/json; indent=x', undefined, 0],
  ['text/html,application/xhtml+xml,*/*;q=0.8', undefined, 'page'],
  ['text/*', undefined, 'page'],
  ['text/html', 'json', 0],
  ['*/*', 'api', 'page'],
  [undefined, 'api', 'page'],
  ['application/json', 'api', 'page'],
  ['application/json, text/html', undefined, 0],
  ['image/png, application/json; version=4.6', undefined, { indent: 0, isPage: false, version: '4.6' }],
  ['application/json; version=4.7; indent=2', undefined, { indent: 2, isPage: false, version: '4.7' }],
  ['application/json; version=4.7.3', undefined, 'notAcceptable'],
  ['application/json; version=4.5', undefined, 'notAcceptable'],
  ['application/xml', undefined, 'notAcceptable'],
  ['*/*', 'xml', 'Not found.'],
])('Accept: %s, format=%s → %s', (accept, format, expected) => {
  if (expected === 'page') expect(negotiate(accept, format)).toMatchObject({ isPage: true })
  else if (typeof expected === 'object') expect(negotiate(accept, format)).toEqual(expected)
  else if (typeof expected === 'number') expect(negotiate(accept, format)).toEqual({ indent: expected, isPage: false })
  else expect(() => negotiate(accept, format)).toThrow(expected)
})
