/** Units of a rack and the devices in it. */
export interface Rack {
  readonly id: number
  readonly name: string
  readonly site: number
  readonly location: number | undefined
  /** Number of units. */
  readonly units: number
  /** Number of the lowest unit, or of the highest if numbers grow downwards. */
  readonly first: number
  readonly isDescending: boolean
  readonly occupants: readonly Occupant[]
}

export type RackFace = 'front' | 'rear'

/** Units that a device occupies. Positions and heights are in half-unit steps. */
export interface Occupant {
  readonly device: number
  readonly position: number
  readonly height: number
  /** Undefined: both. */
  readonly face: RackFace | undefined
}

/** A device that is being moved. */
export interface Mover {
  readonly device: number
  readonly height: number
  readonly isFullDepth: boolean
}

/** A place of a device in a rack. */
export interface RackPlace {
  readonly rack: Rack
  readonly face: RackFace
  readonly position: number
}

/** Whether the device fits there: within the rack, and on no unit of another device. */
export function fits({ device, height, isFullDepth }: Mover, { rack, face, position }: RackPlace): boolean {
  const top = position + height
  if (position < rack.first || top > rack.first + rack.units) return false
  return !rack.occupants.some(
    (other) =>
      other.device !== device &&
      (isFullDepth || other.face === undefined || other.face === face) &&
      other.position < top &&
      position < other.position + other.height,
  )
}

/** Units from the upper edge of the rack to the upper edge of the device. */
export const unitsBelowTop = ({ first, units, isDescending }: Rack, position: number, height: number): number =>
  isDescending ? position - first : first + units - position - height

/** The position of a device whose upper edge is this many units below that of the rack, within the rack. */
export function positionAt(rack: Rack, below: number, height: number): number {
  const step = height % 1 === 0 ? 1 : 0.5
  const depth = Math.min(Math.max(Math.round(below / step) * step, 0), rack.units - height)
  return rack.isDescending ? rack.first + depth : rack.first + rack.units - height - depth
}

/** The nearest place above (-1) or below (1) at which the device fits; undefined at the end of the rack. */
export function nextFit(mover: Mover, place: RackPlace, direction: -1 | 1): RackPlace | undefined {
  const step = (mover.height % 1 === 0 ? 1 : 0.5) * (place.rack.isDescending ? direction : -direction)
  const last = place.rack.first + place.rack.units
  for (let position = place.position + step; position >= place.rack.first && position < last; position += step) {
    const next = { ...place, position }
    if (fits(mover, next)) return next
  }
  return undefined
}

/** The place of the rack's face that is nearest to the position and at which the device fits. */
export function nearestFit(mover: Mover, place: RackPlace): RackPlace | undefined {
  if (fits(mover, place)) return place
  const above = nextFit(mover, place, -1)
  const below = nextFit(mover, place, 1)
  if (!above || !below) return above ?? below
  const distance = (other: RackPlace): number => Math.abs(other.position - place.position)
  return distance(above) <= distance(below) ? above : below
}
