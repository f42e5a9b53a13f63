import { type Interface, widthOf } from './ip.ts'

/** A rectangle of a map. */
export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * The place of a network on the map of a larger one: each bit halves the rectangle at its longer side, so that the area is
 * proportional to the number of addresses and neighbours stay together.
 */
export function networkRectangle(whole: Interface, subnet: Interface, map: Rectangle): Rectangle {
  let { x, y, width, height } = map
  for (let bit = whole.length; bit < subnet.length; bit += 1) {
    const isUpper = (subnet.value >> BigInt(widthOf(subnet.family) - 1 - bit)) & 1n
    if (width >= height) {
      width /= 2
      if (isUpper) x += width
    } else {
      height /= 2
      if (isUpper) y += height
    }
  }
  return { x, y, width, height }
}
