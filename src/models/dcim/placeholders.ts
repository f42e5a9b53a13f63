/** The properties of a component's place that its name may contain. */
export interface Place {
  /** Positions of the module bays from the device down to the module's own; empty outside modules. */
  readonly positions: readonly string[]
  /** Position in the virtual chassis; null for a device that is in none. */
  readonly chassisPosition: number | null
}

const MODULE = '{module}'
/** Name of the placeholder for the position in the virtual chassis. */
export const CHASSIS_PLACEHOLDER = 'vc_position'
const CHASSIS = /\{vc_position(?::([^}]*))?\}/g

/** Number of `{module}` placeholders in a text. */
export const modulePlaceholders = (text: string): number => text.split(MODULE).length - 1

/**
 * Replaces the placeholders in a template's text. A single `{module}` becomes the position of the module's bay; as many
 * of them as there are nested bays become all their positions in turn. `{vc_position}` and `{vc_position:other}` become
 * the position in the virtual chassis, otherwise `other`, otherwise 0. Undefined if the number of `{module}` fits
 * neither case.
 */
export function fillPlaceholders(text: string, { positions, chassisPosition }: Place): string | undefined {
  if (!text.includes('{')) return text
  const chassis = text.replaceAll(CHASSIS, (_, other: string | undefined) => String(chassisPosition ?? other ?? 0))
  const count = modulePlaceholders(chassis)
  if (count === 0 || positions.length === 0) return chassis
  const ownPosition = positions.at(-1) ?? ''
  if (count === 1) return chassis.replace(MODULE, () => ownPosition)
  if (count !== positions.length) return undefined
  return positions.reduce((filled, position) => filled.replace(MODULE, () => position), chassis)
}
