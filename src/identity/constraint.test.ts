import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/support/database.ts'
import { places, servicePlaces } from '../../test/support/places.ts'
import { allVisible } from '../read/query/row-predicate.ts'
import { selectIds } from '../read/query/slice.ts'
import type { Service } from '../service.ts'
import { satisfiesConstraint } from './constraint.ts'

// Names of places, which compare in their natural order: 1 item2, 2 item10, 3 Straße, 4 STRASSE. Text lookups are those of filters.
const cases: readonly (readonly [constraint: Record<string, unknown>, rows: readonly number[]])[] = [
  [{ name__exact: 'STRASSE' }, [4]],
  [{ name__iexact: 'straße' }, [3, 4]],
  [{ name__contains: 'RASS' }, [4]],
  [{ name__icontains: 'rass' }, [3, 4]],
  [{ name__startswith: 'Item' }, []],
  [{ name__istartswith: 'Item' }, [1, 2]],
  [{ name__endswith: 'SE' }, [4]],
  [{ name__iendswith: 'SSE' }, [3, 4]],
  [{ name__regex: '^item\\d$' }, [1]],
  [{ name__iregex: '^ITEM' }, [1, 2]],
  [{ size__gt: 5 }, [2]],
  [{ size__range: [-1, 5] }, [1, 4]],
  [{ id__in: ['2', 3] }, [2, 3]],
  [{ name__in: ['item2', 'STRASSE'] }, [1, 4]],
  [{ size__in: [] }, []],
  [{ size__in: [1, 'large'] }, []],
]

describe('a permission constraint', () => {
  let service: Service
  beforeAll(async () => {
    service = await servicePlaces(await openTestDatabase())
  })
  afterAll(() => service.database.close())
  const place = places.model('toy.place')
  const security = { registry: places, visibleRows: allVisible }

  it.each(cases)('%j', async (constraint, rows) => {
    const where = satisfiesConstraint(place, constraint, 0)
    expect(await selectIds(service.database, place, { where, security })).toEqual(rows)
  })
})
