import type { Fields } from './field.ts'
import type { Change } from './rule.ts'

/**
 * The result of a query that `Read` cannot express, executed once per batch: `ask` gets all rows of the batch, and
 * every object's rule gets the same result.
 */
export function oncePerBatch<F extends Fields, Answer>(
  ask: (change: Change<F>) => Answer,
): (change: Change<F>) => Answer {
  const answers = new WeakMap<Change<F>['batch'], { readonly answer: Answer }>()
  return (change) => {
    const known = answers.get(change.batch)
    if (known) return known.answer
    const made = { answer: ask(change) }
    answers.set(change.batch, made)
    return made.answer
  }
}
