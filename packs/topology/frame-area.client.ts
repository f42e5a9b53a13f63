import { type Area, BOX, type Place } from './port-labels.client.ts'

/** Space between the boxes of devices and the frame round them; at the top, its label fits in between. */
const SPACE = { side: 28, top: 32, bottom: 16 }

/** The frame round boxes with these middles, of which there is at least one. */
export function frameAround(middles: readonly Place[]): Area {
  const xs = middles.map(([x]) => x)
  const ys = middles.map(([, y]) => y)
  const [left, right] = [Math.min(...xs) - BOX[0] - SPACE.side, Math.max(...xs) + BOX[0] + SPACE.side]
  const [top, bottom] = [Math.min(...ys) - BOX[1] - SPACE.top, Math.max(...ys) + BOX[1] + SPACE.bottom]
  return { middle: [(left + right) / 2, (top + bottom) / 2], half: [(right - left) / 2, (bottom - top) / 2] }
}
