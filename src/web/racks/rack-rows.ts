import { depthBelowTop, type Numbering, type RackOccupant } from '../../api/actions/dcim/rack-units.ts'

/** A cell of a drawn rack, which spans rows. */
export type RackCell<Device> =
  | { readonly kind: 'device'; readonly device: Device; readonly rows: number }
  | { readonly kind: 'free'; readonly position: number; readonly rows: number }

/** A row of a drawn rack: a unit, or half of one. */
export interface RackRow<Device> {
  /** Number of the unit that begins here, and how many rows it has. */
  readonly unit: { readonly number: number; readonly rows: number } | undefined
  /** A cell for each face; undefined if the cell above spans this row. */
  readonly cells: readonly (RackCell<Device> | undefined)[]
}

interface RackRows<Device> {
  readonly rows: readonly RackRow<Device>[]
  /** Devices that overlap others or exceed the rack. */
  readonly misplaced: readonly Device[]
}

/** The rows of a rack from top to bottom, with the devices of each face. */
export function rackRows<Device extends RackOccupant>(
  numbering: Numbering,
  faces: readonly (readonly Device[])[],
): RackRows<Device> {
  const isHalved = faces.flat().some((device) => device.position % 1 !== 0 || device.height % 1 !== 0)
  const perUnit = isHalved ? 2 : 1
  const count = numbering.u_height * perUnit
  const misplaced = new Set<Device>()
  const columns = faces.map((devices) => {
    const column = new Array<Device | undefined>(count).fill(undefined)
    for (const device of devices) {
      const top = depthBelowTop(numbering, device) * perUnit
      const rows = Array.from({ length: device.height * perUnit }, (_, index) => top + index)
      if (rows.every((row) => row >= 0 && row < count && column[row] === undefined)) {
        for (const row of rows) column[row] = device
      } else misplaced.add(device)
    }
    return column
  })
  const rows = Array.from({ length: count }, (_, row): RackRow<Device> => {
    const unit = { number: positionAt(numbering, Math.floor(row / perUnit), 0), rows: perUnit }
    return {
      unit: row % perUnit === 0 ? unit : undefined,
      cells: columns.map((column) => cellAt(numbering, column, row, perUnit)),
    }
  })
  return { rows, misplaced: [...misplaced] }
}

function cellAt<Device extends RackOccupant>(
  numbering: Numbering,
  column: readonly (Device | undefined)[],
  row: number,
  perUnit: number,
): RackCell<Device> | undefined {
  const device = column[row]
  if (device !== undefined) {
    const isFirst = column[row - 1] !== device
    return isFirst ? { kind: 'device', device, rows: device.height * perUnit } : undefined
  }
  const unit = Math.floor(row / perUnit)
  const half = row % perUnit
  const isWhole = perUnit === 1 || column[row + (half === 0 ? 1 : -1)] === undefined
  if (isWhole && half === 1) return undefined
  const lower = isWhole || half === (numbering.desc_units ? 0 : 1) ? 0 : 0.5
  return {
    kind: 'free',
    position: positionAt(numbering, unit, lower),
    rows: isWhole ? perUnit : 1,
  }
}

const positionAt = (
  { starting_unit: first, u_height: units, desc_units: isDescending }: Numbering,
  unitsBelowTop: number,
  half: number,
): number => (isDescending ? first + unitsBelowTop : first + units - 1 - unitsBelowTop) + half
