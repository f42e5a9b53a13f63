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
