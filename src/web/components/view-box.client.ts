/** The visible part of a drawing, in its own units. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Limits of zooming in, and of zooming out beyond the whole drawing. */
const NEAREST = 20
const FARTHEST = 1.5

/** The box, moved. */
export const moveBox = (box: Box, dx: number, dy: number): Box => ({
  ...box,
  x: box.x + dx,
  y: box.y + dy,
})

/** The box in another size; the point at these fractions of its width and height keeps its place. */
export const zoomBox = (
  { x, y, width, height }: Box,
  factor: number,
  [fx, fy]: readonly [number, number] = [0.5, 0.5],
): Box => ({
  x: x + width * (1 - factor) * fx,
  y: y + height * (1 - factor) * fy,
  width: width * factor,
  height: height * factor,
})

/** The box, neither smaller nor larger than zooming allows, and with its middle within the whole drawing. */
export function contain(box: Box, whole: Box): Box {
  const width = Math.min(Math.max(box.width, whole.width / NEAREST), whole.width * FARTHEST)
  const sized = zoomBox(box, width / box.width)
  const middle = (start: number, size: number, from: number, length: number): number =>
    Math.min(Math.max(start + size / 2, from), from + length) - size / 2
  return {
    ...sized,
    x: middle(sized.x, sized.width, whole.x, whole.width),
    y: middle(sized.y, sized.height, whole.y, whole.height),
  }
}
