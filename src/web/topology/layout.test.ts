import { expect, it } from 'vitest'
import { computeLayout } from './layout.ts'
import { BOX_HEIGHT, BOX_WIDTH } from './topology-map.ts'

const keyOf = (number: number): string => `device ${number}`

// The ends of the links of each device, by its number → links of the map.
const cases = [
  { name: 'devices without links', count: 30, ends: () => [] },
  { name: 'a chain', count: 100, ends: (at: number) => (at > 0 ? [at - 1] : []) },
  {
    name: 'devices with links to the same two switches',
    count: 100,
    ends: (at: number) => [0, 1].filter((end) => end < at),
  },
  {
    name: 'each device with links to six others',
    count: 120,
    ends: (at: number) => [7, 11, 13, 17, 19, 23].map((step) => (at * step + step) % 120),
  },
]

it.each(cases)('no boxes of a map overlap: $name', async ({ count, ends }) => {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const positions = await computeLayout({
    nodes: numbers.map((number) => ({ key: keyOf(number) })),
    links: numbers.flatMap((number) => ends(number).map((end) => ({ a: keyOf(number), b: keyOf(end) }))),
  })
  const points = [...positions.values()]
  expect(points).toHaveLength(count)
  const overlapping = points.flatMap(([x, y], index) =>
    points.slice(index + 1).filter(([left, top]) => Math.abs(left - x) < BOX_WIDTH && Math.abs(top - y) < BOX_HEIGHT),
  )
  expect(overlapping).toEqual([])
})
