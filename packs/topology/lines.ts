import type { Point } from './layout.ts'
import { BOX_HEIGHT, BOX_WIDTH } from './topology-map.ts'

/** Whether the line crosses the box with its margin (Liang and Barsky's clipping). */
export function crosses([x1, y1]: Point, [x2, y2]: Point, [x, y]: Point): boolean {
  const half = { x: BOX_WIDTH / 2 + 4, y: BOX_HEIGHT / 2 + 4 }
  let [start, end] = [0, 1]
  for (const [delta, low, high] of [
    [x2 - x1, x - half.x - x1, x + half.x - x1],
    [y2 - y1, y - half.y - y1, y + half.y - y1],
  ] as const) {
    if (delta === 0) {
      if (low > 0 || high < 0) return false
      continue
    }
    start = Math.max(start, Math.min(low / delta, high / delta))
    end = Math.min(end, Math.max(low / delta, high / delta))
  }
  return start < end
}
