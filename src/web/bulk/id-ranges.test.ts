import { describe, expect, it } from 'vitest'
import { idRanges, parseIdRanges } from './selection.ts'

describe('ranges of ids', () => {
  it.each([
    [[], ''],
    [[7], '7'],
    [[3, 1, 2, 7, 7], '1-3,7'],
    [[1, 3, 5], '1,3,5'],
  ])('%j is written as %s and read again', (ids, text) => {
    expect(idRanges(ids)).toBe(text)
    expect(new Set(parseIdRanges(text, 100))).toEqual(new Set(ids))
  })

  it('stop at the limit', () => {
    expect(parseIdRanges('1-999999999999999', 3)).toEqual([1, 2, 3])
  })

  it.each(['x', '1-', '-5', '1;2', '5-1'])('%s has no ids beyond what it names', (text) => {
    expect(parseIdRanges(text, 10).length).toBeLessThanOrEqual(1)
  })
})
