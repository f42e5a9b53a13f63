import { expect, it } from 'vitest'
import { isColumnRead, readColumns } from './column-names.ts'

const COLUMNS = ['id', 'name', 'size', 'hall_id']

it.each([
  { text: 'select t.id, t."name" from "hall" t where t.size = $1', read: ['id', 'name', 'size'] },
  { text: 'select count(*) from "hall" t', read: ['id'] },
  { text: "select t.id, 'no column' as sizes from t", read: ['id'] },
  { text: 'with d as (select hall_id from desk) select from d', read: ['id', 'hall_id'] },
  { text: 'select t.* from "hall" t', read: COLUMNS },
  { text: 'select * from "hall"', read: COLUMNS },
  { text: 'select 1 from "hall" natural join "desk"', read: COLUMNS },
])('$text may read the columns $read', ({ text, read }) => {
  const columns = readColumns({ text })
  expect(COLUMNS.filter((column) => isColumnRead(columns, column))).toEqual(read)
})
