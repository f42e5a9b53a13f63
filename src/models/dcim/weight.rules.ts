import type { Refusal } from '../../schema/rule.ts'

/** Zero, or no weight, needs no unit. */
export const weightNeedsUnit = ({
  next,
}: {
  readonly next: { readonly weight: string | null; readonly weight_unit: string | null }
}): Refusal | undefined =>
  Number(next.weight ?? 0) !== 0 && !next.weight_unit
    ? { __all__: 'A weight needs a unit.' }
    : undefined

/** The weight in grams, which is stored for ordering, must not be negative. */
export const refuseNegativeWeight = ({
  next,
}: {
  readonly next: { readonly weight: string | null }
}): Refusal | undefined =>
  Number(next.weight ?? 0) < 0 ? { weight: 'A weight is zero or more.' } : undefined
