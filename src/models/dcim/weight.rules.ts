import type { Refusal } from '../../schema/rule.ts'

/** Zero and no weight mean nothing without a unit anyway. */
export const weightNeedsUnit = ({
  next,
}: {
  readonly next: { readonly weight: string | null; readonly weight_unit: string | null }
}): Refusal | undefined =>
  Number(next.weight ?? 0) !== 0 && !next.weight_unit
    ? { __all__: 'A weight needs a unit.' }
    : undefined

/** A weight in grams is kept for ordering, and that has no sign. */
export const refuseNegativeWeight = ({
  next,
}: {
  readonly next: { readonly weight: string | null }
}): Refusal | undefined =>
  Number(next.weight ?? 0) < 0 ? { weight: 'A weight is zero or more.' } : undefined
