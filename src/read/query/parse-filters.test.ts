import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/support/database.ts'
import { places, servicePlaces } from '../../../test/support/places.ts'
import type { Service } from '../../service.ts'
import { T } from './alias.ts'
import { compileFilter } from './compile-filter.ts'
import type { Filter } from './filter.ts'
import { parseFilters } from './parse-filters.ts'
import { RelatedValues } from './related-values.ts'
import { allVisible } from './row-predicate.ts'
import { selectIds } from './slice.ts'

const place = places.model('toy.place')
const parse = (query: string) => parseFilters(places, place, new URLSearchParams(query))

const parsed: readonly (readonly [query: string, filter: Filter | undefined])[] = [
  ['name=a', { kind: 'text', path: 'name', comparison: 'exact', values: ['a'] }],
  ['name__ic=a&name__ic=b', { kind: 'text', path: 'name', comparison: 'icontains', values: ['a', 'b'] }],
  ['name__n=a', { kind: 'not', filter: { kind: 'text', path: 'name', comparison: 'exact', values: ['a'] } }],
  [
    'name=null&name=a',
    {
      kind: 'or',
      filters: [
        { kind: 'lacking', path: 'name' },
        { kind: 'text', path: 'name', comparison: 'exact', values: ['a'] },
      ],
    },
  ],
  [
    'size__gte=99999999999999999999',
    {
      kind: 'number',
      type: 'integer',
      path: 'size',
      comparison: 'gte',
      values: ['99999999999999999999'],
    },
  ],
  ['size__empty=true', { kind: 'not', filter: { kind: 'present', path: 'size' } }],
  ['name=', undefined],
  ['unheard=of', undefined],
]

describe('parameters become data', () => {
  it.each(parsed)('%s', (query, filter) => {
    const { filters, refused } = parse(query)
    expect([...filters.values()]).toEqual(filter ? [filter] : [])
    expect(refused).toEqual({})
    expect(JSON.parse(JSON.stringify([...filters.values()]))).toEqual([...filters.values()])
  })

  it('names the parameters whose values cannot be used', () => {
    expect(parse('size=x&name=a&created=y').refused).toEqual({
      size: ['Enter a whole number.'],
      created: ['Enter a valid date/time.'],
    })
  })
})

// Names of places: 1 item2, 2 item10, 3 Straße, 4 STRASSE; sizes 5, 10, null, -1.
const item: Filter = { kind: 'text', path: 'name', comparison: 'istartswith', values: ['ITEM'] }
const small: Filter = {
  kind: 'number',
  type: 'integer',
  path: 'size',
  comparison: 'lte',
  values: ['5'],
}
const combined: readonly (readonly [name: string, filter: Filter, rows: readonly number[]])[] = [
  ['and', { kind: 'and', filters: [item, small] }, [1]],
  ['or', { kind: 'or', filters: [item, small] }, [1, 2, 4]],
  ['not', { kind: 'not', filter: small }, [2, 3]],
  ['and in or', { kind: 'or', filters: [{ kind: 'and', filters: [item, small] }, small] }, [1, 4]],
  ['not of or', { kind: 'not', filter: { kind: 'or', filters: [item, small] } }, [3]],
  ['or of nothing matches no row', { kind: 'or', filters: [] }, []],
  ['and of nothing matches every row', { kind: 'and', filters: [] }, [1, 2, 3, 4]],
  ['text in its own case', { kind: 'text', path: 'name', comparison: 'contains', values: ['RASS'] }, [4]],
]

describe('combined filters', () => {
  let service: Service
  beforeAll(async () => {
    service = await servicePlaces(await openTestDatabase())
  })
  afterAll(() => service.database.close())
  const security = { registry: places, visibleRows: allVisible }

  it.each(combined)('%s', async (_name, filter, rows) => {
    const { database } = service
    const where = await compileFilter(filter, {
      ...{ registry: places, model: place, alias: T, database, visibleRows: allVisible },
      related: new RelatedValues(database, security),
      user: undefined,
    })
    expect(await selectIds(database, place, { where, security })).toEqual(rows)
  })
})
