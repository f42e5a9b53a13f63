import type { Fields } from './field.ts'
import { oncePerBatch } from './once-per-batch.ts'
import type { Change, RowOf } from './rule.ts'

/**
 * Earlier rows of the batch with the same `keyOf`. Of two duplicates in one request only the second is refused, as if
 * the objects had been created one after the other.
 */
export function earlierDuplicates<F extends Fields>(
  keyOf: (row: RowOf<F>) => string,
): (change: Change<F>) => readonly RowOf<F>[] {
  const groups = oncePerBatch<F, ReadonlyMap<string, readonly RowOf<F>[]>>(({ batch }) => Map.groupBy(batch, keyOf))
  return (change) => {
    const group = groups(change).get(keyOf(change.next)) ?? []
    return group.slice(0, group.indexOf(change.next))
  }
}
