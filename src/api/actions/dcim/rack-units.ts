/** Numbering of a rack's units. */
export interface Numbering {
  /** Number of the lowest unit, or of the highest if numbers grow downwards. */
  readonly starting_unit: number
  /** Number of units. */
  readonly u_height: number
  /** Numbers grow from top to bottom. */
  readonly desc_units: boolean
}

/** Occupied units from a position. */
export interface RackOccupant {
  /** Number of the first occupied unit, in half-unit steps. */
  readonly position: number
  /** Units, in half-unit steps. */
  readonly height: number
}

/** Numbers of a rack's half units from top to bottom: 2.5, 2, 1.5, 1. */
export function halfUnits({ starting_unit, u_height, desc_units }: Numbering): number[] {
  const ascending = Array.from({ length: u_height * 2 }, (_, index) => starting_unit + index / 2)
  return desc_units ? ascending : ascending.reverse()
}

/** Half units of a device. */
export const halfUnitsOf = ({ position, height }: RackOccupant): number[] =>
  Array.from({ length: Math.round(height * 2) }, (_, index) => position + index / 2)

/** `U12`, `U12.5`. */
export const unitName = (unit: number): string => `U${unit}`

/** Units from the upper edge of the rack to the upper edge of the device, which may lie outside. */
export const depthBelowTop = (
  { starting_unit, u_height, desc_units }: Numbering,
  { position, height }: RackOccupant,
): number => (desc_units ? position - starting_unit : starting_unit + u_height - position - height)
