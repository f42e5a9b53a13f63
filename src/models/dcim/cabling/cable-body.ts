import type { NamedEnd } from './cable-end-input.ts'
import type { CableEnd } from './cable-wires.ts'

export type CableSide = CableEnd

/** Objects that a body names on one side of a cable; undefined where it does not name the side. */
export function endsOf(row: object, side: CableSide): readonly NamedEnd[] | undefined {
  const list = (row as Record<string, unknown>)[side === 'A' ? 'a_terminations' : 'b_terminations']
  // Stored rows have the ids of terminations there.
  const isNamed = Array.isArray(list) && list.every((each) => typeof each !== 'number')
  return isNamed ? (list as readonly NamedEnd[]) : undefined
}
