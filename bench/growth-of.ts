import type { GrowthRow } from './result.ts'

/**
 * Time of the page over the largest data set, divided by the time over the smallest with as many objects on the page.
 */
export function growthOf({ points }: GrowthRow): number | null {
  const last = points.at(-1)
  const first = points.find(({ objects }) => objects === last?.objects)
  return first && last ? last.median / first.median : null
}
