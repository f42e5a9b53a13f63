import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { join, raw, sql } from '../../src/sql/fragment.ts'
import { openTestDatabase } from '../support/database.ts'

// A value bound to a parameter of a type, and the value that is returned; `sent` itself if not specified.
const roundTrips = [
  { type: 'int2', sent: -5 },
  { type: 'int4', sent: 2147483647 },
  { type: 'int8', sent: Number.MAX_SAFE_INTEGER },
  { type: 'int8', sent: Number.MIN_SAFE_INTEGER },
  { type: 'int8', sent: 12n, back: 12 },
  { type: 'int8', sent: 0 },
  { type: 'int4', sent: -2147483648 },
  { type: 'float8', sent: 0.1 },
  { type: 'float4', sent: 1.5 },
  { type: 'float8', sent: Number.POSITIVE_INFINITY },
  { type: 'numeric', sent: 12.5, back: '12.5' },
  { type: 'numeric', sent: '1.500', back: '1.500' },
  { type: 'bool', sent: true },
  { type: 'bool', sent: false },
  { type: 'text', sent: '' },
  { type: 'text', sent: 'a "quoted" \\ text, ünï¢ode 🗼\n$1' },
  { type: 'text', sent: 'é' },
  { type: 'text', sent: 'a'.repeat(200) },
  { type: 'text', sent: `${'a'.repeat(200)}ß` },
  { type: 'varchar', sent: 'null' },
  { type: 'text', sent: null },
  { type: 'int4', sent: undefined, back: null },
  { type: 'date', sent: '2024-02-29' },
  { type: 'date', sent: '0099-12-31' },
  { type: 'timestamptz', sent: '2026-11-21T05:28:30.75411Z', back: '2026-11-21T05:28:30.754110Z' },
  { type: 'timestamptz', sent: '2020-12-20T00:00:00Z' },
  { type: 'timestamptz', sent: '2020-06-01T12:00:00+02:00', back: '2020-06-01T10:00:00Z' },
  {
    type: 'timestamptz',
    sent: new Date(Date.UTC(2001, 1, 3, 4, 5, 6, 70)),
    back: '2001-02-03T04:05:06.070000Z',
  },
  { type: 'json', sent: '{"b":1, "a":[null]}' },
  { type: 'jsonb', sent: '{"b":1, "a":[null]}', back: '{"a": [null], "b": 1}' },
  { type: 'inet', sent: '192.0.2.1/24' },
  { type: 'inet', sent: '2001:DB8::1', back: '2001:db8::1' },
  { type: 'cidr', sent: '10.0.0.0/8' },
  { type: 'macaddr', sent: '00-00-5E-00-53-01', back: '00:00:5e:00:53:01' },
  {
    type: 'uuid',
    sent: '6F9619FF-8B86-D011-B42D-00C04FC964FF',
    back: '6f9619ff-8b86-d011-b42d-00c04fc964ff',
  },
  { type: 'int4range', sent: '[1,5]', back: '[1,6)' },
  { type: 'int4[]', sent: [] },
  { type: 'int4[]', sent: [1, null, -3] },
  { type: 'int8[]', sent: [1, Number.MAX_SAFE_INTEGER] },
  {
    type: 'int4[]',
    sent: [
      [1, 2],
      [3, 4],
    ],
  },
  { type: 'bool[]', sent: [true, false, null] },
  { type: 'text[]', sent: ['', 'a,b', '{x}', '"', '\\', 'NULL', null, ' edge ', 'é🗼'] },
  { type: 'varchar[]', sent: ['x'] },
  { type: 'inet[]', sent: ['192.0.2.1', '2001:db8::/32'] },
  { type: 'cidr[]', sent: ['192.0.2.0/24'] },
  { type: 'uuid[]', sent: ['6f9619ff-8b86-d011-b42d-00c04fc964ff'] },
  { type: 'int4range[]', sent: ['[1,4)', '[7,8)'] },
  { type: 'timestamptz[]', sent: [new Date(0)], back: ['1970-01-01T00:00:00Z'] },
]

// Facts about collations that the models rely on: expression → value.
const collations = [
  { expression: `upper('straße' collate "und-x-icu")`, value: 'STRASSE' },
  { expression: `upper('ﬁ' collate "und-x-icu")`, value: 'FI' },
  {
    expression: `array(select v from unnest(array['a10','a9','B1','Ä1','a1']) v order by v collate natural_sort)`,
    value: ['a1', 'Ä1', 'a9', 'a10', 'B1'],
  },
]

describe('values', () => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase()
    await database.script(`create collation natural_sort (provider = icu, locale = 'und@colNumeric=yes')`)
  })
  afterAll(() => database.close())

  it.each(roundTrips)('$type carries $sent', async ({ type, sent, back = sent }) => {
    // Two more than are needed to prepare it: unprepared and prepared statements must agree.
    for (let time = 0; time < 3; time++) {
      const rows = await database.query(sql`select ${sent}::${raw(type)} as value`)
      expect(rows).toEqual([{ value: back ?? null }])
      const arrays = await database.queryArrays(sql`select ${sent}::${raw(type)}`)
      expect(arrays).toEqual([[back ?? null]])
      const column = await database.queryColumn(sql`select ${sent}::${raw(type)}`)
      expect(column).toEqual([back ?? null])
    }
  })

  it.each(collations)('$expression', async ({ expression, value }) => {
    expect(await database.queryArrays(sql`select ${raw(expression)}`)).toEqual([[value]])
  })

  it('gives rows as arrays in the order of the select list, in which names may be repeated', async () => {
    const rows = await database.queryArrays(sql`select 1 as a, ${'x'}::text as a, null::int as b`)
    expect(rows).toEqual([[1, 'x', null]])
  })

  it('gives a column of the first values', async () => {
    const values = await database.queryColumn(sql`select n, -n as b from unnest(array[7, null, 9]) n`)
    expect(values).toEqual([7, null, 9])
    expect(await database.queryColumn(sql`select 1 where false`)).toEqual([])
  })

  it('refuses numbers that JavaScript would round', async () => {
    await expect(database.query(sql`select ${'9007199254740993'}::int8`)).rejects.toThrow(RangeError)
    expect(await database.query(sql`select 1 as fine`)).toEqual([{ fine: 1 }])
  })

  it('refuses objects, which have no unique text form', async () => {
    await expect(database.query(sql`select ${{ a: 1 }}::jsonb`)).rejects.toThrow(TypeError)
  })

  it.each([65_535, 65_536, 80_000])(
    'a statement with %i values is carried out, or refused with the connection kept',
    async (count) => {
      const parts = Array.from({ length: count }, () => sql`(${1}::int)`)
      const asked = database.query(sql`select count(*)::int as count from (values ${join(parts)}) v`)
      if (count > 65_535) await expect(asked).rejects.toMatchObject({ code: '54000' })
      else expect(await asked).toEqual([{ count }])
      expect(await database.query(sql`select 1 as fine`)).toEqual([{ fine: 1 }])
    },
  )

  it('moves large values and many rows', async () => {
    const long = 'x'.repeat(3_000_000)
    const numbers = Array.from({ length: 100_000 }, (_, index) => index)
    expect(await database.query(sql`select length(${long}::text) as length, ${long}::text as text`)).toEqual([
      { length: long.length, text: long },
    ])
    const rows = await database.queryArrays(sql`select n from unnest(${numbers}::int[]) n`)
    expect(rows).toHaveLength(numbers.length)
  })
})
