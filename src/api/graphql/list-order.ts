import { compileOrder, isOrderable, type Order } from '../../read/query/order.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import type { VisibleRows } from '../../read/query/row-predicate.ts'
import type { Model, Registry } from '../../schema/registry.ts'

/**
 * The order that `order_by` names, else the model's own; `constant`: a foreign key that is equal in all rows. Throws RefusedValue for
 * a field that does not sort.
 */
export function orderAsked(
  registry: Registry,
  model: Model,
  asked: unknown,
  visibleRows: VisibleRows,
  constant: string | undefined,
): Order {
  const names = (asked ?? []) as readonly string[]
  for (const name of names) {
    if (!isOrderable(model, name.replace(/^-/, ''))) {
      throw new RefusedValue(`Objects cannot be ordered by '${name}'.`)
    }
  }
  const ordering = names.join(',') || undefined
  const options = { choices: 'emptyAsNull', constant } as const
  return compileOrder({ registry }, model, ordering, visibleRows, options)
}
