import type { Refusal } from '../../schema/rule.ts'

/** Refuses a measure below zero. */
export const refuseNegative =
  <Name extends string>(name: Name) =>
  ({ next }: { readonly next: { readonly [K in Name]: string | null } }): Refusal | undefined =>
    Number(next[name] ?? 0) < 0 ? { [name]: 'Enter zero or a positive number.' } : undefined

/** Zero, or no weight, needs no unit. */
export const weightNeedsUnit = ({
  next,
}: {
  readonly next: { readonly weight: string | null; readonly weight_unit: string | null }
}): Refusal | undefined =>
  Number(next.weight ?? 0) !== 0 && !next.weight_unit ? { __all__: 'A weight needs a unit.' } : undefined

interface Measured {
  readonly distance: string | null
  readonly distance_unit: string | null
}

export const distanceNeedsUnit = ({ next }: { readonly next: Measured }): Refusal | undefined =>
  next.distance !== null && !next.distance_unit ? { __all__: 'A distance needs a unit.' } : undefined

/** Clears a unit without a distance. */
export const dropUnitWithoutDistance = ({ next }: { readonly next: Measured }) =>
  next.distance === null ? { distance_unit: null } : undefined

interface Outer {
  readonly outer_width: number | null
  readonly outer_height: number | null
  readonly outer_depth: number | null
  readonly outer_unit: string | null
}

const hasOuterDimension = ({ outer_width, outer_height, outer_depth }: Outer): boolean =>
  Boolean(outer_width || outer_height || outer_depth)

export const outerDimensionNeedsUnit = ({ next }: { readonly next: Outer }): Refusal | undefined =>
  hasOuterDimension(next) && !next.outer_unit ? { __all__: 'An outer dimension needs a unit.' } : undefined

export const maximumWeightNeedsUnit = ({
  next,
}: {
  readonly next: { readonly max_weight: number | null; readonly weight_unit: string | null }
}): Refusal | undefined =>
  next.max_weight && !next.weight_unit ? { __all__: 'A maximum weight needs a unit.' } : undefined

/** Clears a unit without dimensions. */
export const dropUnusedUnit = ({ next }: { readonly next: Outer }): { outer_unit: null } | undefined =>
  hasOuterDimension(next) ? undefined : { outer_unit: null }
