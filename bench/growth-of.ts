import type { GrowthRow } from './result.ts'

/** How many times longer the page takes over the largest data set than over the smallest. */
export function growthOf({ points }: GrowthRow): number | null {
  const [first, last] = [points[0]?.median, points.at(-1)?.median]
  return first === undefined || last === undefined ? null : last / first
}
