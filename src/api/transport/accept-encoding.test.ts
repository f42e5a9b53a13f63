import { expect, it } from 'vitest'
import { codingFor } from './accept-encoding.ts'

const CASES: readonly (readonly [header: string | undefined, coding: string | undefined])[] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate, br', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['zstd;q=0.5, gzip', 'gzip'],
  ['zstd;q=0.5, gzip ; q=0.4', 'zstd'],
  ['gzip;q=0', undefined],
  ['gzip;q=nonsense', undefined],
  ['gzip;q=0.5, identity', undefined],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['gzip, identity;q=0', 'gzip'],
  ['*', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=0, *', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['identity, *;q=0.5', undefined],
]

it.each(CASES)('Accept-Encoding %s selects %s', (header, coding) => {
  expect(codingFor(header)).toBe(coding)
})
