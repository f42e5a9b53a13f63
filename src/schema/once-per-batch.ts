import type { Fields } from './field.ts'
import { oncePer } from './once-per.ts'
import type { Change } from './rule.ts'

/**
 * The result of a query that `Read` cannot express, executed once per batch: `ask` receives all rows of the batch, and
 * the rule of every object receives the same result.
 */
export function oncePerBatch<F extends Fields, Answer>(
  ask: (change: Change<F>) => Answer,
): (change: Change<F>) => Answer {
  const resultOf = oncePer((_batch: Change<F>['batch'], change: Change<F>) => ask(change))
  return (change) => resultOf(change.batch, change)
}
