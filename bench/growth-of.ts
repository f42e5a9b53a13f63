import type { GrowthRow } from './result.ts'

/** How many times longer the page takes over the largest data set than over the smallest that fills it as much. */
export function growthOf({ points }: GrowthRow): number | null {
  const last = points.at(-1)
  const first = points.find(({ objects }) => objects === last?.objects)
  return first && last ? last.median / first.median : null
}
