import { expect, it } from 'vitest'
import { queryOfForm } from './filter-redirect.ts'

it.each([
  ['an address without a submitted form is unchanged', 'name=a', undefined],
  ['empty fields are left out', '_filters=1&q=&name=&site=ams1', '?site=ams1'],
  ['nothing may be left', '_filters=1&q=', ''],
  ['a lookup becomes part of the name', '_filters=1&_lookup.name=ic&name=sw', '?name__ic=sw'],
  ['the plain lookup does not', '_filters=1&_lookup.name=exact&name=sw', '?name=sw'],
  [
    'fields of the same filter have a lookup each',
    '_filters=1&_lookup.name=ic&name=a&_lookup.name=n&name=&_lookup.name=isw&name=c',
    '?name__ic=a&name__isw=c',
  ],
  ['repeated values stay', '_filters=1&status=active&status=planned', '?status=active&status=planned'],
])('%s', (_, query, expected) => {
  expect(queryOfForm(new URLSearchParams(query))).toBe(expected)
})
