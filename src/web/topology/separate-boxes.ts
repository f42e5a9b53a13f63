/** The middle of a box; moved in place. */
export interface MovableBox {
  x: number
  y: number
}

/**
 * Moves each two boxes of one size that overlap apart: both by half of what is missing, along the axis on which less is missing in
 * proportion to the size. False where no boxes overlap. Boxes that are moved may come to overlap others: repeat it.
 */
export function separateOverlapping(
  boxes: readonly MovableBox[],
  width: number,
  height: number,
): boolean {
  const cellOf = ({ x, y }: MovableBox) => ({
    column: Math.floor(x / width),
    row: Math.floor(y / height),
  })
  const cells = Map.groupBy(boxes, (box) => keyOf(cellOf(box)))
  let hasMoved = false
  for (const box of boxes) {
    const { column, row } = cellOf(box)
    for (const [right, down] of NEIGHBOURS) {
      for (const other of cells.get(keyOf({ column: column + right, row: row + down })) ?? []) {
        if (other !== box) hasMoved = separatePair(box, other, width, height) || hasMoved
      }
    }
  }
  return hasMoved
}

/** Cells whose boxes may overlap one in the middle. */
const NEIGHBOURS = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const))

const keyOf = ({ column, row }: { column: number; row: number }): number => column * 1e6 + row

/** Share of what is missing by which each of two boxes is moved. */
const SHARE = 0.6

function separatePair(a: MovableBox, b: MovableBox, width: number, height: number): boolean {
  const missing = { x: width - Math.abs(b.x - a.x), y: height - Math.abs(b.y - a.y) }
  if (missing.x <= 0 || missing.y <= 0) return false
  const axis = missing.x / width < missing.y / height ? 'x' : 'y'
  // More than half, so that fewer rounds are needed.
  const half = missing[axis] * SHARE + 1
  const direction = b[axis] < a[axis] ? -1 : 1
  a[axis] -= half * direction
  b[axis] += half * direction
  return true
}
