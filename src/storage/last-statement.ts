import { identifier, join, type Sql, sql } from '../sql/fragment.ts'
import { combine, constantPart } from '../sql/statement-template.ts'

/** Two inserts of which the second reads the rows that the first returns: `from recorded`. */
export interface ChainedInserts {
  readonly first: Sql
  readonly second: Sql
}

/** Both inserts as one statement. */
export const chainedStatement = ({ first, second }: ChainedInserts): Sql =>
  combine(chained, [first, second])

const chained = ([first, second]: readonly Sql[]): Sql => sql`with recorded as (${first}) ${second}`

/** The inserts that a transaction sends with its commit: as one statement, which takes less time than one for each. */
export class LastStatement {
  #inserts: Sql[] = []
  #chained: ChainedInserts | undefined

  add(insert: Sql): void {
    this.#inserts.push(insert)
  }

  /** Holds inserts back that have to be executed before any later statement of the transaction. None may be held back already. */
  hold(chained: ChainedInserts): void {
    this.#chained = chained
  }

  /** The inserts that are held back, to be sent now; none are held back after that. */
  release(): Sql | undefined {
    const chained = this.#chained
    this.#chained = undefined
    return chained && chainedStatement(chained)
  }

  /** State to which `returnTo` goes back. To be called while nothing is held back. */
  mark(): number {
    return this.#inserts.length
  }

  returnTo(mark: number): void {
    this.#inserts.length = mark
    this.#chained = undefined
  }

  /** Everything, with the announcement of the changes; undefined where there is nothing to send. */
  complete(announcement: Sql | undefined): Sql | undefined {
    const chained = this.#chained
    if (!chained && this.#inserts.length === 0) return announcement
    const last = announcement ?? NO_ANNOUNCEMENT
    return chained
      ? combine(withChained, [last, chained.first, chained.second, ...this.#inserts])
      : combine(withoutChained, [last, ...this.#inserts])
  }
}

const NO_ANNOUNCEMENT = constantPart(sql`select`)

const withChained = ([last, first, ...inserts]: readonly Sql[]): Sql =>
  sql`with recorded as (${first}), ${named(inserts)} ${last}`

const withoutChained = ([last, ...inserts]: readonly Sql[]): Sql =>
  sql`with ${named(inserts)} ${last}`

const named = (inserts: readonly Sql[]): Sql =>
  join(inserts.map((insert, index) => sql`${identifier(`insert${index}`)} as (${insert})`))
