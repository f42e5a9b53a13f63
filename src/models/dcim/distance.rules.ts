import type { Refusal } from '../../schema/rule.ts'

interface Measured {
  readonly distance: string | null
  readonly distance_unit: string | null
}

export const distanceNeedsUnit = ({ next }: { readonly next: Measured }): Refusal | undefined =>
  next.distance !== null && !next.distance_unit
    ? { __all__: 'A distance needs a unit.' }
    : undefined

/** Clears a unit without a distance. */
export const dropUnitWithoutDistance = ({ next }: { readonly next: Measured }) =>
  next.distance === null ? { distance_unit: null } : undefined
