import type { NamedEnd } from './cable-end-input.ts'
import type { CableEnd } from './cable-wires.ts'

export type Side = CableEnd

/** What a body names on one side of a cable; undefined where it does not name the side. */
export const endsOf = (row: object, side: Side): readonly NamedEnd[] | undefined =>
  (row as Record<string, unknown>)[side === 'A' ? 'a_terminations' : 'b_terminations'] as
    | readonly NamedEnd[]
    | undefined
