import { describe, expect, it } from 'vitest'
import { JsonBytes } from './json-bytes.ts'

/** Characters of one to four bytes, and all that JSON escapes. */
const TEXTS = [
  '',
  'a',
  'rtr-01.example.com',
  'é → 🏢',
  '"quoted" and C:\\path',
  'two\nlines\tand\u0000\u001f\u007f\u2028',
  'x'.repeat(1_000),
  `${'→'.repeat(500)}"`,
]

/** Around the text, as a value stands in a row. */
const [BEFORE, AFTER] = ['12\u0000"', '"\\']

describe('JSON in bytes', () => {
  it.each([0, 1, 16, 10_000])(
    'quotes texts as JSON.stringify does, with room for %d bytes',
    (size) => {
      const out = new JsonBytes(size)
      for (const text of TEXTS) {
        const bytes = Buffer.from(BEFORE + text + AFTER)
        out.quoted(bytes, BEFORE.length, bytes.length - AFTER.length)
      }
      expect(out.toString()).toBe(TEXTS.map((text) => JSON.stringify(text)).join(''))
    },
  )

  it.each([0, 1, 16, 10_000])('copies texts, pieces and parts, with room for %d bytes', (size) => {
    const out = new JsonBytes(size)
    for (const text of TEXTS) {
      const bytes = Buffer.from(BEFORE + text + AFTER)
      out.text(text)
      out.piece(bytes)
      out.part(bytes, BEFORE.length, bytes.length - AFTER.length)
      out.byte(','.charCodeAt(0))
    }
    const expected = TEXTS.map((text) => `${text}${BEFORE}${text}${AFTER}${text},`).join('')
    expect(out.toString()).toBe(expected)
    expect(out.bytes.toString()).toBe(expected)
    expect(out).toHaveLength(Buffer.byteLength(expected))
  })

  it('writes whole numbers', () => {
    const numbers = [0, 7, 10, 99, 100, 4_294_967_296, Number.MAX_SAFE_INTEGER]
    const out = new JsonBytes(0)
    for (const number of numbers) {
      out.integer(number)
      out.byte(' '.charCodeAt(0))
    }
    expect(out.toString()).toBe(`${numbers.join(' ')} `)
  })

  it('begins again when it is cleared', () => {
    const out = new JsonBytes(0)
    out.text('first')
    const first = Buffer.from(out.bytes)
    out.clear()
    out.text('then')
    expect([first.toString(), out.toString()]).toEqual(['first', 'then'])
  })
})
