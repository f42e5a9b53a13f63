import { describe, expect, it } from 'vitest'
import { parseReference } from './table.ts'

const TABLE = `# How fast it is

Two cores.

| request | ms | requests/s |
|---|---|---|
| devices 50 | 201 | 7.0 |
| interfaces 1000 | 3,521 | under 1 |
| create a site | 28 |  |

More words.`

describe("the reference's table", () => {
  it('is parsed with thousands separators, bounds and empty cells', () => {
    expect(parseReference(TABLE)).toEqual([
      { name: 'devices 50', milliseconds: 201, rate: 7 },
      { name: 'interfaces 1000', milliseconds: 3521, rate: 1 },
      { name: 'create a site', milliseconds: 28, rate: undefined },
    ])
  })

  it.each([
    ['another table', '| name | value |\n|---|---|\n| a | 1 |', 'columns request, ms'],
    ['a cell that is no number', TABLE.replace('201', 'about 200'), 'devices 50: about 200'],
  ])('is refused with a sentence: %s', (_, text, sentence) => {
    expect(() => parseReference(text)).toThrow(sentence)
  })
})
