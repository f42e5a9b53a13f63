import type { Refusal } from '../../schema/rule.ts'

export const allocatedIsWithinMaximum = ({
  next,
}: {
  readonly next: { readonly maximum_draw: number | null; readonly allocated_draw: number | null }
}): Refusal | undefined =>
  next.maximum_draw !== null &&
  next.allocated_draw !== null &&
  next.allocated_draw > next.maximum_draw
    ? { allocated_draw: `The maximum draw is ${next.maximum_draw} W.` }
    : undefined
