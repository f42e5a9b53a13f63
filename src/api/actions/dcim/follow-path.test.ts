import { expect, test } from 'vitest'
import { segmentsOf } from './follow-path.ts'

// Steps of a path, one word each → near ends, link and far ends of each segment.
const cases: readonly [name: string, steps: string, segments: string][] = [
  ['nothing', '', ''],
  ['a cable', 'i1 c1 i2', 'i1-c1-i2'],
  ['a panel between', 'i1 c1 f1 r1 c2 i2', 'i1-c1-f1 r1-c2-i2'],
  ['a panel without a cable behind it', 'i1 c1 f1 r1', 'i1-c1-f1 r1--'],
  ['a circuit into a network', 'i1 c1 t1 t2 n1', 'i1-c1-t1 t2--n1'],
]

test.each(cases)('segments of a path: %s', (_, steps, segments) => {
  const groups = segmentsOf(
    steps
      .split(' ')
      .filter(Boolean)
      .map((node) => [node]),
  )
  expect(groups.map((segment) => segment.map((nodes) => nodes.join()).join('-')).join(' ')).toBe(segments)
})
