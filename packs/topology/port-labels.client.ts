export type Place = readonly [x: number, y: number]

/** The name of a port at one end of a link: the middle of its own box, that of the other box, its width. */
export interface EndLabel {
  readonly from: Place
  readonly to: Place
  readonly width: number
}

/** Half the size of a box of the map, half the height of a label, and the space between them, in pixels. */
export const BOX: Place = [84, 23]
const HALF_HEIGHT = 8
const SPACE = 3
/** Pixels between the places along a link that are tried, and how many. */
const STEP = 14
const STEPS = 6

/** A part of the map that labels leave free: its middle, and half its width and height. */
export interface Area {
  readonly middle: Place
  readonly half: Place
}

const overlap = (first: Area, second: Area): boolean =>
  [0, 1].every(
    (axis) =>
      Math.abs((first.middle[axis] ?? 0) - (second.middle[axis] ?? 0)) <
      (first.half[axis] ?? 0) + (second.half[axis] ?? 0),
  )

/** Places for a label beside its box, the best first: on the link, then next to it. `isForced`: also beyond a bend. */
function* candidates({ from, to, width }: EndLabel, isForced: boolean): Iterable<Place> {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = Math.hypot(dx, dy) || 1
  const [ux, uy] = [dx / length, dy / length]
  const clear = Math.min(
    (BOX[0] + width / 2 + SPACE) / Math.max(Math.abs(ux), 0.001),
    (BOX[1] + HALF_HEIGHT + SPACE) / Math.max(Math.abs(uy), 0.001),
  )
  const aside = Math.abs(uy) * (width / 2) + Math.abs(ux) * HALF_HEIGHT + SPACE
  const further = Math.max(2 * aside, aside + BOX[1])
  if (clear > length && !isForced) return
  for (const sides of [
    [0, aside, -aside],
    [further, -further],
  ]) {
    for (let step = 0; step < STEPS; step += 1) {
      const distance = clear + step * STEP
      // The further half of the link belongs to its other end.
      if (step > 0 && distance > length / 2) break
      for (const side of sides) {
        yield [from[0] + ux * distance - uy * side, from[1] + uy * distance + ux * side]
      }
    }
  }
}

/**
 * Places at which the labels overlap neither these areas nor one another; undefined for a label that has none. `isForced`:
 * such a label gets its best place.
 */
export function placeLabels(
  labels: readonly EndLabel[],
  areas: readonly Area[],
  isForced: boolean,
): readonly (Place | undefined)[] {
  const taken = [...areas]
  return labels.map((label) => {
    const half: Place = [label.width / 2, HALF_HEIGHT]
    const all = [...candidates(label, isForced)]
    const place = all.find((middle) => !taken.some((area) => overlap(area, { middle, half })))
    const chosen = place ?? (isForced ? all[0] : undefined)
    if (chosen) taken.push({ middle: chosen, half })
    return chosen
  })
}
