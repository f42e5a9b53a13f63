import type { Fields } from './field.ts'
import type { Change } from './rule.ts'

/**
 * A question that no word of `Read` can put, asked once for a whole batch: `ask` sees all of its rows,
 * and every object's rule gets the same answer.
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
