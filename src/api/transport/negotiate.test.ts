import { expect, it } from 'vitest'
import { acceptsPage, negotiate, prefersPage, versionOf, wantsEventStream, wantsText } from './negotiate.ts'

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
  // The highest weight counts; of equal ones, the first.
  [
    'application/json; version=4.6; q=0.1, application/json; version=4.7; q=0.9',
    undefined,
    { indent: 0, isPage: false, version: '4.7' },
  ],
  ['text/html;q=0.5, application/json', undefined, 0],
  ['application/json;q=0.5, text/html;q=0.9', undefined, 'page'],
  ['application/json;indent=2;q=0.9, application/json;indent=4', undefined, 4],
  ['application/json;q=0.9;indent=2, application/json;q=0.9;indent=4', undefined, 2],
  // A weight of 0 excludes.
  ['application/json; version=4.6; q=0', undefined, 'notAcceptable'],
  ['application/json;q=0.000', undefined, 'notAcceptable'],
  ['*/*;q=0', undefined, 'notAcceptable'],
  ['text/html;q=0, */*', undefined, 0],
  ['application/json;q=0, */*;q=0.1', undefined, 'page'],
  [
    'application/json; version=4.6; q=0, application/json; version=4.7',
    undefined,
    { indent: 0, isPage: false, version: '4.7' },
  ],
  ['*/*', 'xml', 'Not found.'],
])('Accept: %s, format=%s → %s', (accept, format, expected) => {
  if (expected === 'page') expect(negotiate(accept, format)).toMatchObject({ isPage: true })
  else if (typeof expected === 'object') expect(negotiate(accept, format)).toEqual(expected)
  else if (typeof expected === 'number') expect(negotiate(accept, format)).toEqual({ indent: expected, isPage: false })
  else expect(() => negotiate(accept, format)).toThrow(expected)
})

it.each<[string, Partial<Record<'acceptsPage' | 'prefersPage' | 'wantsText' | 'wantsEventStream', boolean>>]>([
  ['text/html', { acceptsPage: true, prefersPage: true, wantsText: false }],
  ['*/*', { acceptsPage: true, prefersPage: false, wantsText: false, wantsEventStream: false }],
  ['text/html;q=0, */*', { acceptsPage: false, prefersPage: false, wantsEventStream: false }],
  ['application/json;q=0.1, text/html', { acceptsPage: true, prefersPage: true }],
  ['application/json;q=0.1, text/plain;q=0.2', { wantsText: true }],
  ['text/plain;q=0, application/json', { wantsText: false }],
  ['text/event-stream;q=0, application/json', { wantsEventStream: false }],
  ['application/json, text/event-stream;q=0.1', { wantsEventStream: true }],
])('%s: %j', (accept, expected) => {
  const search = new URLSearchParams()
  const actual = {
    acceptsPage: acceptsPage(accept),
    prefersPage: prefersPage(accept, undefined),
    wantsText: wantsText({ headers: { accept }, search }),
    wantsEventStream: wantsEventStream({ headers: { accept }, search }),
  }
  expect(actual).toMatchObject(expected)
})

it('the version of the preferred media range counts', () => {
  expect(versionOf('application/json;version=4.6;q=0.2, application/json;version=4.7')).toBe('4.7')
  expect(versionOf('text/html, application/json;version=4.6')).toBeUndefined()
})
