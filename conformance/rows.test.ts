import { expect, it } from 'vitest'
import { compareRows, type RecordedRows } from './rows.ts'

// recording, received ids, the server's count (by default their number) → causes
const cases: readonly {
  readonly name: string
  readonly recorded: Omit<RecordedRows, 'count'> & { readonly count?: number }
  readonly given: readonly number[]
  readonly count?: number
  readonly causes: readonly string[]
}[] = [
  { name: 'the same rows', recorded: { ids: [3, 1, 2] }, given: [3, 1, 2], causes: [] },
  { name: 'none', recorded: { ids: [] }, given: [], causes: [] },
  { name: 'a row less', recorded: { ids: [1, 2] }, given: [1], causes: ['ids differ'] },
  { name: 'a row more', recorded: { ids: [1] }, given: [1, 2], causes: ['ids differ'] },
  { name: 'another order', recorded: { ids: [1, 2] }, given: [2, 1], causes: ['order differs'] },
  {
    name: 'another order inside of a tie',
    recorded: { ids: [1, 2, 3, 4], ties: [[1, 3]] },
    given: [1, 3, 2, 4],
    causes: [],
  },
  {
    name: 'a row that leaves its tie',
    recorded: { ids: [1, 2, 3, 4], ties: [[1, 3]] },
    given: [2, 1, 3, 4],
    causes: ['order differs'],
  },
  {
    name: 'rows that change places between two ties',
    recorded: {
      ids: [1, 2, 3, 4],
      ties: [
        [0, 2],
        [2, 4],
      ],
    },
    given: [1, 3, 2, 4],
    causes: ['order differs'],
  },
  {
    name: 'any order where no order is known',
    recorded: { ids: [1, 2, 3], ties_unknown: true },
    given: [3, 1, 2],
    causes: [],
  },
  {
    name: 'other rows where no order is known',
    recorded: { ids: [1, 2, 3], ties_unknown: true },
    given: [3, 1, 4],
    causes: ['ids differ'],
  },
  {
    name: 'once what was recorded twice',
    recorded: { ids: [1, 2, 2], dups: true, count: 3 },
    given: [1, 2],
    causes: [],
  },
  {
    name: 'twice what was recorded twice',
    recorded: { ids: [1, 2, 2], dups: true, count: 2 },
    given: [1, 2, 2],
    causes: [],
  },
  {
    name: 'once what was recorded twice without saying so',
    recorded: { ids: [1, 2, 2], count: 3 },
    given: [1, 2],
    causes: [],
  },
  {
    name: 'repeated rows still come in order',
    recorded: { ids: [1, 2, 2], dups: true },
    given: [2, 1],
    causes: ['order differs'],
  },
  {
    name: 'twice what was recorded once',
    recorded: { ids: [1, 2] },
    given: [1, 2, 2],
    causes: ['a row is given twice'],
  },
  {
    name: 'a count that is not that of the rows',
    recorded: { ids: [1, 2] },
    given: [1, 2],
    count: 50,
    causes: ['count differs'],
  },
]

it.each(cases)('$name', ({ recorded, given, count = given.length, causes }) => {
  const rows = { count: recorded.ids.length, ...recorded }
  expect(compareRows(rows, { count, ids: given }).map(({ cause }) => cause)).toEqual(causes)
})
