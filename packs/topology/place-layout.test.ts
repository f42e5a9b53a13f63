import { describe, expect, it } from 'vitest'
import { crosses } from './lines.ts'
import { placeOnGrid } from './place-layout.ts'

type Ends = { readonly a: string; readonly b: string }

/** Links from the first of some places to each of the others. */
const star = (name: string, leaves: number): readonly Ends[] =>
  Array.from({ length: leaves }, (_, index) => ({ a: name, b: `${name}${index}` }))

const keysOf = (links: readonly Ends[]): readonly string[] => [...new Set(links.flatMap(({ a, b }) => [a, b]))]

describe('the layout of a map of places', () => {
  it.each([
    ['a star', star('a', 12), 3],
    ['two parts without links between them', [...star('a', 8), ...star('b', 3)], 0],
    ['a ring', Array.from({ length: 8 }, (_, index) => ({ a: `r${index}`, b: `r${(index + 1) % 8}` })), 0],
    // Not all lines can avoid all boxes then.
    ['many places of one provider', star('p', 60), 52],
  ])('has boxes that do not overlap, and few lines behind boxes: %s', (_what, links, most) => {
    const keys = keysOf(links)
    const places = placeOnGrid(keys, links, 0)
    expect(new Set([...places.values()].map(String)).size).toBe(keys.length)
    const behind = links.filter(({ a, b }) => {
      const [from, to] = [places.get(a), places.get(b)]
      return from && to && [...places.values()].some((box) => box !== from && box !== to && crosses(from, to, box))
    })
    expect(behind.length).toBeLessThanOrEqual(most)
  })

  it('is as compact as a window: the names of 30 places are readable', () => {
    const links = [...star('a', 14), ...star('b', 9), ...star('c', 4)]
    const points = [...placeOnGrid(keysOf(links), links, 0).values()]
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
    expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(2400)
    expect(Math.max(...ys) - Math.min(...ys)).toBeLessThan(1200)
  })

  it('places a thousand sites in a moment, and the same graph in the same way', () => {
    const links = star('s', 999)
    const keys = keysOf(links)
    const places = placeOnGrid(keys, links, 0)
    expect(places.size).toBe(1000)
    expect([...placeOnGrid(keys, links, 0)]).toEqual([...places])
  })
})
