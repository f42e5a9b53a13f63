/** A rack's units: As many units as `u_height`, from `starting_unit` upwards. */
export interface Frame {
  readonly starting_unit: number
  readonly u_height: number
}

/** A device in a rack: heights and positions are in units, in steps of one half. */
export interface Mounted {
  readonly position: number
  readonly height: number
  readonly face: string | null
  readonly isFullDepth: boolean
}

/**
 * Whether a device of that height fits at the position: completely within the rack, on a face without other devices.
 * `face` null: both faces, for devices of full depth.
 */
export function isFree(
  { starting_unit: bottom, u_height: units }: Frame,
  { position, height, face }: { position: number; height: number; face: string | null },
  mounted: readonly Mounted[],
): boolean {
  const top = position + height
  if (position < bottom || top > bottom + units) return false
  return !mounted.some(
    (other) =>
      (face === null || other.face === face || other.isFullDepth) &&
      other.position < top &&
      position < other.position + other.height,
  )
}
