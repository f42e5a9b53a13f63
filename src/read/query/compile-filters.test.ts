import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/support/database.ts'
import { places, servicePlaces } from '../../../test/support/places.ts'
import { ApiError } from '../../base/errors.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { compileFilters } from './compile-filters.ts'
import { allVisible, NO_ROWS, type VisibleRows } from './row-predicate.ts'
import { selectIds } from './slice.ts'

// Places: 1 item2, 2 item10, 3 Straße, 4 STRASSE; see test/support/places.ts for the rest of them.
const cases = [
  { name: 'nothing asked', query: '', rows: [1, 2, 3, 4] },
  { name: 'unknown parameters', query: 'nonsense=1&cf_nonsense=2&name__lt=3', rows: [1, 2, 3, 4] },
  { name: 'empty values', query: 'name=&size=&is_free=&q=', rows: [1, 2, 3, 4] },
  { name: 'values of one parameter', query: 'name=item2&name=item10', rows: [1, 2] },
  { name: 'negated values of one', query: 'name__n=item2&name__n=item10', rows: [3, 4] },
  { name: 'two parameters', query: 'status=open&size__gt=3', rows: [1] },
  { name: 'blanks around a text', query: 'name=%20item2%20', rows: [1] },
  { name: 'a blank text in a lookup', query: 'name__ic=%20', rows: [1, 2, 3, 4] },
  { name: 'signs of LIKE', query: 'code__ic=%25_%5C', rows: [2] },
  { name: 'code points without expansion', query: 'code__ic=ASS', rows: [] },
  { name: 'code points in the other case', query: 'code__ie=Aß', rows: [1] },
  { name: 'negation keeps null', query: 'code__n=', rows: [1, 2, 3, 4] },
  { name: 'negated text keeps null', query: 'code__nic=a', rows: [2, 3, 4] },
  { name: 'a part of a text that is often empty', query: 'note__ic=THE%20h', rows: [2] },
  { name: 'its beginning', query: 'note__isw=by', rows: [2] },
  { name: 'its end', query: 'note__iew=Bour', rows: [2] },
  { name: 'one of two parts', query: 'note__ic=nowhere&note__ic=harbour', rows: [2] },
  { name: 'without a part', query: 'note__nic=harbour', rows: [1, 3, 4] },
  { name: 'empty itself', query: 'note__empty=true', rows: [1, 3, 4] },
  { name: 'null text', query: 'code=null', rows: [3] },
  { name: 'no null text', query: 'code__n=null', rows: [1, 2, 4] },
  { name: 'filled text', query: 'code__empty=false', rows: [1, 2] },
  { name: 'a word of Python in an expression', query: 'name__regex=\\bitem', rows: [1, 2] },
  { name: 'a choice', query: 'status=open', rows: [1, 3] },
  { name: 'null choice', query: 'shade=null', rows: [2, 4] },
  { name: 'part of a choice, by a whole one', query: 'status__ic=shut', rows: [2, 4] },
  { name: 'whole numbers in odd spelling', query: 'size=%20%2B05.0%20&size=٥', rows: [1] },
  { name: 'numbers beyond 64 bits', query: 'size=99999999999999999999', rows: [] },
  { name: 'compared with them', query: 'size__lt=99999999999999999999', rows: [1, 2, 4] },
  { name: 'negated number keeps null', query: 'size__n=5', rows: [2, 3, 4] },
  { name: 'no number', query: 'size__empty=true', rows: [3] },
  { name: 'a decimal', query: 'ratio=1.50', rows: [1] },
  { name: 'a day', query: 'opened=2020-1-31&opened=02/01/2020', rows: [1, 4] },
  { name: 'a moment by its day', query: 'created=2020-01-01', rows: [1] },
  { name: 'a moment in a zone', query: 'created__lte=2020-01-01T02:00:00%2B02:00', rows: [1] },
  { name: 'true', query: 'is_free=True', rows: [1, 3] },
  { name: 'true in odd spelling', query: 'is_free=TRUE', rows: [1, 2, 3, 4] },
  { name: 'the last of two booleans', query: 'is_free=true&is_free=false', rows: [2, 4] },
  { name: 'no boolean', query: 'is_free=yes', rows: [1, 2, 3, 4] },
  { name: 'an address in another spelling', query: 'mac=0011.2233.4455', rows: [1] },
  { name: 'no address', query: 'mac=zz', rows: [] },
  { name: 'not an address that is none', query: 'mac__n=zz', rows: [] },
  { name: 'not an address', query: 'mac__n=001122334455', rows: [2, 3, 4] },
  { name: 'part of an address', query: 'mac__isw=AA:BB', rows: [2] },
  { name: 'a related object by id', query: 'area_id=2', rows: [1] },
  { name: 'a node with those below', query: 'area=world', rows: [1, 2, 4] },
  { name: 'none of a node', query: 'area__n=north', rows: [2, 3, 4] },
  { name: 'nothing related', query: 'area=null', rows: [3] },
  { name: 'nothing or something', query: 'area=null&area=north', rows: [1, 3] },
  { name: 'something related', query: 'area_id__n=null', rows: [1, 2, 4] },
  { name: 'many to many', query: 'keeper=Bob', rows: [1, 2] },
  { name: 'none of many', query: 'keeper__n=Ann', rows: [2, 3, 4] },
  { name: 'none at all', query: 'keeper=null', rows: [3, 4] },
  { name: 'a way back', query: 'box__ic=BLU', rows: [1] },
  { name: 'no way back', query: 'box__n=blue', rows: [2, 3, 4] },
  { name: 'nothing on the way back', query: 'unboxed=true', rows: [3, 4] },
  { name: 'an element of a list', query: 'door=2&door=3', rows: [1, 2, 4] },
  { name: 'no such element', query: 'door__n=2', rows: [2, 3] },
  { name: 'all tags', query: 'tag=prod&tag=lab', rows: [1] },
  { name: 'none of the tags', query: 'tag__n=lab&tag__n=prod', rows: [3, 4] },
  { name: 'no tags', query: 'tag=null', rows: [3, 4] },
  { name: 'a filter of its own', query: 'larger=4', rows: [1, 2] },
  { name: 'a search', query: 'q=%20bo%20', rows: [1, 2] },
  { name: 'a search in a text that is often empty', query: 'q=harbour', rows: [2] },
  { name: 'a search in the name', query: 'q=strasse', rows: [3, 4] },
  { name: 'created by a request', query: `created_by_request=${'1'.repeat(32)}`, rows: [1] },
  { name: 'written by one', query: `modified_by_request=${'1'.repeat(32)}`, rows: [1, 2] },
  { name: 'a shared saved filter', query: 'filter=open-ones', rows: [1, 3] },
  { name: 'one with a parameter', query: 'filter_id=1&status=shut', rows: [1, 2, 3, 4] },
  { name: "the user's own", query: 'filter=mine', rows: [1] },
  { name: 'a loose custom text', query: 'cf_word=ELL', rows: [1] },
  { name: 'no lookups of it', query: 'cf_word__n=Hello', rows: [1, 2, 3, 4] },
  { name: 'no custom value', query: 'cf_word=null', rows: [2, 3, 4] },
  { name: 'an exact custom text', query: 'cf_exact=one', rows: [1] },
  { name: 'not that text', query: 'cf_exact__n=one', rows: [2, 3, 4] },
  { name: 'an empty one', query: 'cf_exact__empty=true', rows: [3, 4] },
  { name: 'a custom number', query: 'cf_number__gte=5.0', rows: [1, 2] },
  { name: 'one of many', query: 'cf_many=s&cf_many=l', rows: [1, 2] },
  { name: 'not one of many', query: 'cf_many__n=s', rows: [2, 3, 4] },
  { name: 'one of many ids', query: 'cf_ids=2', rows: [1] },
  { name: 'a custom boolean', query: 'cf_flag=true', rows: [1] },
  { name: 'a custom day', query: 'cf_day__lt=2025-01-01', rows: [1] },
  { name: 'a custom moment', query: 'cf_moment=2024-01-31T11:00:00%2B01:00', rows: [1] },
  { name: 'a field that is not a filter', query: 'cf_off=1', rows: [1, 2, 3, 4] },
  { name: 'a field of another model', query: 'cf_other=1', rows: [1, 2, 3, 4] },
  { name: 'a key of a document', query: 'detail_watts=500', rows: [1] },
  { name: 'a key that holds a text', query: 'detail_watts="500"', rows: [2] },
  { name: 'a key compared', query: 'detail_watts__lt=100', rows: [3] },
  { name: 'a key within', query: 'detail_plug__kind=C13', rows: [1] },
  { name: 'part of a key', query: 'detail_plug__kind__icontains=C1', rows: [1, 2] },
  { name: 'no such key', query: 'detail_fuse=1', rows: [] },
]

// Invalid query → the parameters that are refused.
const refusals = [
  { name: 'no number', query: 'size=x', refused: ['size'] },
  {
    name: 'several',
    query: 'size__gt=1e3&opened=2020-02-30&name=a',
    refused: ['opened', 'size__gt'],
  },
  { name: 'no finite number', query: 'ratio=NaN', refused: ['ratio'] },
  { name: 'no moment', query: 'created=now', refused: ['created'] },
  { name: 'no choice', query: 'status=nonsense', refused: ['status'] },
  { name: 'null where there is always one', query: 'status=null', refused: ['status'] },
  { name: 'part of a choice', query: 'status__ic=ope', refused: ['status__ic'] },
  { name: 'an unknown id', query: 'area_id=99', refused: ['area_id'] },
  { name: 'no id', query: 'area_id=x', refused: ['area_id'] },
  { name: 'an unknown slug', query: 'area=north&area=nowhere', refused: ['area'] },
  { name: 'an unknown tag', query: 'tag__any=prod&tag__any=none', refused: ['tag__any'] },
  { name: 'no tag', query: 'tag=', refused: ['tag'] },
  { name: 'no expression', query: 'name__regex=(', refused: ['name__regex'] },
  { name: 'a costly one', query: 'name__regex=(a)\\1', refused: ['name__regex'] },
  { name: 'no request', query: 'created_by_request=x', refused: ['created_by_request'] },
  { name: 'NUL', query: 'name=a%00', refused: ['name'] },
  { name: 'a custom number', query: 'cf_number=x', refused: ['cf_number'] },
  { name: 'NUL in a key', query: 'detail_plug="%5Cu0000"', refused: ['detail_plug'] },
  { name: 'no expression on a key', query: 'detail_a__regex=(', refused: ['detail_a__regex'] },
]

describe('parameters', () => {
  let service: Service
  beforeAll(async () => {
    service = await servicePlaces(await openTestDatabase())
  })
  afterAll(() => service.database.close())
  const model = places.model('toy.place')
  const find = async (query: string, visibleRows: VisibleRows = allVisible): Promise<number[]> => {
    const where = await compileFilters(service, model, new URLSearchParams(query), visibleRows, 1)
    return selectIds(service.database, model, {
      where,
      security: { registry: places, visibleRows },
    })
  }

  it.each(cases)('$name', async ({ query, rows }) => {
    expect(await find(query)).toEqual(rows)
  })

  it.each(refusals)('refuse $name', async ({ query, refused }) => {
    const error = await find(query).catch((thrown: unknown) => thrown)
    const reason = error instanceof ApiError ? error.reason : undefined
    expect(reason?.kind).toBe('invalid')
    expect(Object.keys(reason?.kind === 'invalid' ? reason.messages : {}).sort()).toEqual(refused)
  })

  it('with errors are reported with the reason', async () => {
    const error = await find('area=nowhere&area_id=x').catch((thrown: unknown) => thrown)
    expect(error instanceof ApiError && error.reason).toEqual({
      kind: 'invalid',
      messages: {
        area: ['Select a valid choice. nowhere is not one of the available choices.'],
        area_id: ['“x” is not a valid value.'],
      },
    })
  })

  describe('parameters that refer to related objects', () => {
    // Place 1 is in area 2 (north) and has the keepers Ann and Bob, place 2 is in area 3 (south) and has Bob.
    const onlyNorthAndAnn: VisibleRows = ({ name }) => {
      if (name === 'toy.area') return sql`t.slug = 'north'`
      return name === 'toy.keeper' ? sql`t.name = 'Ann'` : 'all'
    }
    it.each([
      { name: 'nothing related', query: 'area=null', rows: [2, 3, 4] },
      { name: 'something related', query: 'area_id__n=null', rows: [1] },
      { name: 'none of many', query: 'keeper=null', rows: [2, 3, 4] },
      { name: 'a search in them', query: 'q=bob', rows: [] },
      { name: 'ids in a custom field', query: 'cf_ids=2', rows: [] },
      { name: 'those of them that are seen', query: 'cf_ids=1', rows: [1] },
      { name: 'ids in a custom field, negated', query: 'cf_ids__n=2', rows: [1, 2, 3, 4] },
    ])('are evaluated as if no other parameters were there: $name', async ({ query, rows }) => {
      expect(await find(query, onlyNorthAndAnn)).toEqual(rows)
    })

    it('find a row without constraints of its own only if the rows that it refers to are visible', async () => {
      const visibleRows: VisibleRows = ({ name }) => {
        if (name === 'toy.place') return sql`t.id <> 2`
        return name === 'toy.box' ? 'related' : 'all'
      }
      // Boxes 1 red and 2 blue are in place 1, box 3 red in place 2.
      expect(await find('box=red', visibleRows)).toEqual([1])
    })

    it('match only related objects that the user may view', async () => {
      const visibleRows: VisibleRows = ({ name }) => (name === 'toy.area' ? sql`t.slug = 'north'` : 'all')
      expect(await find('area=north', visibleRows)).toEqual([1])
      await expect(find('area=south', visibleRows)).rejects.toThrow(ApiError)
    })

    it('match nothing if the user may view none of them', async () => {
      const visibleRows: VisibleRows = ({ name }) => (name === 'toy.area' ? NO_ROWS : 'all')
      await expect(find('area=north', visibleRows)).rejects.toMatchObject({
        reason: { kind: 'invalid' },
      })
    })
  })
})
