import type { Size } from './dots.ts'

/** A dot that needs a label; its position in shares of the map's width and height. */
export interface Labelled {
  readonly text: string
  readonly x: number
  readonly y: number
  /** Pixels. */
  readonly radius: number
}

/** The place of a label. */
export interface Label {
  readonly side: 'right' | 'left'
  /** False if it appears only when the dot is pointed at. */
  readonly isShown: boolean
}

/** Pixels. */
const CHARACTER = 7
const LINE = 16
/** Between a dot and its label. */
export const LABEL_GAP = 4

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * A label beside each dot, as long as it covers no other dot or label. More than `most` labels would only confuse, so
 * then they appear one at a time.
 */
export function labelsOf(dots: readonly Labelled[], size: Size, most: number): readonly Label[] {
  const map = new LabelledMap(dots, size)
  return dots.map((dot) => {
    const side =
      dots.length > most ? undefined : (['right', 'left'] as const).find((candidate) => map.isFree(dot, candidate))
    if (side === undefined) return { side: dot.x > 0.6 ? 'left' : 'right', isShown: false }
    map.add(dot, side)
    return { side, isShown: true }
  })
}

/** A map with the labels so far. */
class LabelledMap {
  readonly #size: Size
  readonly #taken: { readonly of: Labelled; readonly box: Box }[]

  constructor(dots: readonly Labelled[], size: Size) {
    this.#size = size
    this.#taken = dots.map((dot) => {
      const [x, y] = [dot.x * size.width, dot.y * size.height]
      const { radius } = dot
      return { of: dot, box: { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius } }
    })
  }

  isFree(dot: Labelled, side: Label['side']): boolean {
    const box = this.#boxOf(dot, side)
    const { width, height } = this.#size
    const isInside = box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height
    return isInside && !this.#taken.some((other) => other.of !== dot && overlap(box, other.box))
  }

  add(dot: Labelled, side: Label['side']): void {
    this.#taken.push({ of: dot, box: this.#boxOf(dot, side) })
  }

  #boxOf({ text, x, y, radius }: Labelled, side: Label['side']): Box {
    const middle = { x: x * this.#size.width, y: y * this.#size.height }
    const near = radius + LABEL_GAP
    const far = near + [...text].length * CHARACTER
    const [left, right] = side === 'right' ? [near, far] : [-far, -near]
    return {
      ...{ left: middle.x + left, right: middle.x + right },
      ...{ top: middle.y - LINE / 2, bottom: middle.y + LINE / 2 },
    }
  }
}

const overlap = (first: Box, second: Box): boolean =>
  first.left < second.right && second.left < first.right && first.top < second.bottom && second.top < first.bottom
