import { expect, it } from 'vitest'
import { sizeTable } from './sizes.ts'

it('compares the pages that show as many objects of little data as of much', () => {
  const table = sizeTable([
    {
      name: 'interfaces, 50',
      points: [
        { interfaces: 10_000, objects: 50, median: 2 },
        { interfaces: 10_000_000, objects: 50, median: 2.5 },
      ],
    },
    {
      name: 'sites, 50',
      points: [
        { interfaces: 10_000, objects: 10, median: 1 },
        { interfaces: 10_000_000, objects: 50, median: 3 },
      ],
    },
  ])
  expect(table.split('\n').slice(2)).toEqual([
    '| interfaces, 50 | 50 | 2.00 | 2.50 | 1.25 |',
    '| sites, 50 | 10, 50 | 1.00 | 3.00 |  |',
  ])
})
