import { join, type Sql, sql } from '../sql/fragment.ts'

/**
 * Conditions that a write assumes until the saving statement checks them: that no row conflicts. The write need not
 * wait for checks before it saves, and a write with a conflict changes nothing, not even a sequence.
 */
export class Assumptions {
  readonly #open: Sql[] = []

  /** Assumes that the query finds no rows. */
  add(query: Sql): void {
    this.#open.push(query)
  }

  /** Whether there is an assumption that no statement has checked yet. */
  get areOpen(): boolean {
    return this.#open.length > 0
  }

  /** The condition for a saving statement: all assumptions hold. Undefined without assumptions. */
  settle(): Sql | undefined {
    const open = this.#open.splice(0)
    if (open.length === 0) return undefined
    return join(
      open.map((query) => sql`not exists (${query})`),
      ' and ',
    )
  }
}

/** An assumption does not hold. Nothing was saved; a write that checks before it saves reports the reason. */
export class WrongAssumption extends Error {
  constructor() {
    super('A write conflicts with existing rows')
  }
}
