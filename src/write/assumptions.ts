import { join, type Sql, sql } from '../sql/fragment.ts'

/**
 * What a write takes for granted until the statement that saves looks at it: that nothing stands in the
 * way. So it waits for no answer before it saves, and a write for which something does stand in the way
 * changes nothing, not even a sequence.
 */
export class Assumptions {
  readonly #open: Sql[] = []

  /** Assumes that the question finds nothing. */
  add(question: Sql): void {
    this.#open.push(question)
  }

  /** Whether something is assumed that no statement has looked at. */
  get areOpen(): boolean {
    return this.#open.length > 0
  }

  /** The condition under which a statement may save, to be part of it: all that is assumed holds. Absent where nothing is. */
  settle(): Sql | undefined {
    const open = this.#open.splice(0)
    if (open.length === 0) return undefined
    return join(
      open.map((each) => sql`not exists (${each})`),
      ' and ',
    )
  }
}

/** Something that was assumed does not hold. Nothing was saved; whoever looks before saving will say why. */
export class WrongAssumption extends Error {
  constructor() {
    super('Something stands in the way of a write')
  }
}
