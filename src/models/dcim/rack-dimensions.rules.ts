import type { Refusal } from '../../schema/rule.ts'

interface Outer {
  readonly outer_width: number | null
  readonly outer_height: number | null
  readonly outer_depth: number | null
  readonly outer_unit: string | null
}

const hasOuterDimension = ({ outer_width, outer_height, outer_depth }: Outer): boolean =>
  Boolean(outer_width || outer_height || outer_depth)

export const outerDimensionNeedsUnit = ({ next }: { readonly next: Outer }): Refusal | undefined =>
  hasOuterDimension(next) && !next.outer_unit
    ? { __all__: 'An outer dimension needs a unit.' }
    : undefined

export const maximumWeightNeedsUnit = ({
  next,
}: {
  readonly next: { readonly max_weight: number | null; readonly weight_unit: string | null }
}): Refusal | undefined =>
  next.max_weight && !next.weight_unit ? { __all__: 'A maximum weight needs a unit.' } : undefined

/** Clears a unit without dimensions. */
export const dropUnusedUnit = ({
  next,
}: {
  readonly next: Outer
}): { outer_unit: null } | undefined => (hasOuterDimension(next) ? undefined : { outer_unit: null })
