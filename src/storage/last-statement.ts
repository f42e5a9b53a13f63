import { identifier, join, type Sql, sql } from '../sql/fragment.ts'

/** Two inserts of which the second reads, under `name`, the rows that the first returns. */
export interface ChainedInserts {
  readonly first: Sql
  readonly name: string
  readonly second: Sql
}

/** Both inserts as one statement. */
export const chainedStatement = ({ first, name, second }: ChainedInserts): Sql =>
  sql`with ${identifier(name)} as (${first}) ${second}`

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
    const inserts = chained ? [chained.second, ...this.#inserts] : this.#inserts
    if (inserts.length === 0) return announcement
    const parts = inserts.map(
      (insert, index) => sql`${identifier(`insert${index}`)} as (${insert})`,
    )
    if (chained) parts.unshift(sql`${identifier(chained.name)} as (${chained.first})`)
    return sql`with ${join(parts)} ${announcement ?? sql`select`}`
  }
}
