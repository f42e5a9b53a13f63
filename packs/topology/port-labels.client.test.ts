import { describe, expect, it } from 'vitest'
import { type Area, BOX, type EndLabel, type Place, placeLabels } from './port-labels.client.ts'

const A: Place = [0, 0]
const boxes = (...middles: readonly Place[]): readonly Area[] => middles.map((middle) => ({ middle, half: BOX }))

/** Both ends of a link, with names of this width. */
const link = (from: Place, to: Place, width = 60): readonly EndLabel[] => [
  { from, to, width },
  { from: to, to: from, width },
]

const areOverlapping = (one: Place, two: Place, width: number, height: number): boolean =>
  Math.abs(one[0] - two[0]) < width && Math.abs(one[1] - two[1]) < height

describe('names of ports', () => {
  it.each([
    ['beside one another', [400, 0]],
    ['below one another', [0, 120]],
    ['close below one another', [20, 82]],
    ['diagonal to one another', [300, 200]],
  ] as const)('of boxes %s cover neither a box nor one another', (_name, to) => {
    const [first, second] = placeLabels(link(A, to), boxes(A, to), false)
    if (!first || !second) throw new Error('A name has no place')
    expect(areOverlapping(first, second, 60, 16)).toBe(false)
    for (const name of [first, second]) {
      for (const box of [A, to]) expect(areOverlapping(name, box, BOX[0] + 30, BOX[1] + 8)).toBe(false)
    }
    expect(Math.hypot(first[0], first[1])).toBeLessThan(Math.hypot(second[0], second[1]))
  })

  it('are left out if the link bends before them, unless they are asked for', () => {
    const labels: readonly EndLabel[] = [{ from: A, to: [-106, 0], width: 90 }]
    expect(placeLabels(labels, boxes(A), false)).toEqual([undefined])
    expect(placeLabels(labels, boxes(A), true)).not.toContain(undefined)
  })

  it('of many links of a box do not overlap; those without a place are left out unless they are asked for', () => {
    const far = Array.from({ length: 30 }, (_, index): Place => [Math.cos(index) * 500, Math.sin(index) * 300])
    const labels = far.flatMap((to) => link(A, to, 90).slice(0, 1))
    const places = placeLabels(labels, boxes(A), false).filter((place) => place !== undefined)
    expect(places.length).toBeGreaterThan(8)
    for (const [index, one] of places.entries()) {
      expect(places.slice(index + 1).filter((two) => areOverlapping(one, two, 90, 16))).toEqual([])
    }
    expect(placeLabels(labels, boxes(A), true)).not.toContain(undefined)
  })
})
