import { expect, test } from 'vitest'
import { compareCodePoints } from './code-point-order.ts'

const ASCENDING = ['', 'A', 'B', 'a', 'ab', 'b', 'é', 'ﬀ', '\u{1f600}', '\u{1f600}a', '\u{1f601}']

test('texts are compared by their code points', () => {
  for (const [index, left] of ASCENDING.entries()) {
    for (const [place, right] of ASCENDING.entries()) {
      expect([left, right, Math.sign(compareCodePoints(left, right))]).toEqual([
        left,
        right,
        Math.sign(index - place),
      ])
    }
  }
  const byBytes = ASCENDING.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(ASCENDING.toReversed().toSorted(compareCodePoints)).toEqual(byBytes)
})
