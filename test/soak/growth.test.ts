import { expect, it } from 'vitest'
import { growthOf, hasGrown, type Sample } from './growth.ts'

const MEGABYTE = 1_048_576

/** Thirty samples, one a second; `change` says what differs from a steady process. */
const samples = (change: (time: number) => Partial<Sample>): readonly Sample[] =>
  Array.from({ length: 30 }, (_, time) => ({
    ...{ time, memory: 300 * MEGABYTE, database: 200 * MEGABYTE, heap: 80 * MEGABYTE, descriptors: 60, connections: 8 },
    ...change(time),
  }))

const cases = [
  { name: 'a steady process', change: () => ({}), grown: [] },
  {
    name: 'a process that grows while it warms up',
    change: (time: number) => ({ memory: Math.min(time, 10) * 30 * MEGABYTE }),
    grown: [],
  },
  {
    name: 'a heap that is collected now and then',
    change: (time: number) => ({ heap: (80 + (time % 4) * 40) * MEGABYTE }),
    grown: [],
  },
  {
    name: 'memory that is never released',
    change: (time: number) => ({ memory: (300 + time * 10) * MEGABYTE }),
    grown: ['memory (MB)'],
  },
  {
    name: 'objects that are never released',
    change: (time: number) => ({ heap: (80 + time * 4) * MEGABYTE }),
    grown: ['heap (MB)'],
  },
  {
    name: 'a database server that grows with each statement',
    change: (time: number) => ({ database: (200 + time * 10) * MEGABYTE }),
    grown: ['PostgreSQL (MB)'],
  },
  {
    name: 'clients whose connections come and go',
    change: (time: number) => ({ descriptors: time < 20 ? 47 : 59 }),
    grown: [],
  },
  {
    name: 'two descriptors each second',
    change: (time: number) => ({ descriptors: 60 + 2 * time }),
    grown: ['file descriptors'],
  },
  {
    name: 'connections that are not given back',
    change: (time: number) => ({ connections: 8 + Math.floor(time / 4) }),
    grown: ['connections'],
  },
]

it.each(cases)('$name: growth of $grown', ({ change, grown }) => {
  const growth = growthOf(samples(change), 10, 0.1)
  expect(growth.filter(hasGrown).map(({ resource }) => resource)).toEqual(grown)
})
