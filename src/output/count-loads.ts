import { join, type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import type { LoadByIds } from './plan.ts'

/** Selects ids and how much there is for each; ids without anything may be missing. */
export type CountStatement = (ids: readonly number[]) => Sql

type Counts = ReadonlyMap<number, string>

/** The counts of one plan, which are put to the database as one statement for each page. */
export class CountLoads {
  readonly #statements: CountStatement[] = []
  /** By the page's ids, which all loads of a page are given. */
  readonly #pages = new WeakMap<readonly number[], Promise<readonly Counts[]>>()

  add(statement: CountStatement): LoadByIds {
    const index = this.#statements.push(statement) - 1
    return async (ids, { database }) => {
      const page = this.#pages.get(ids) ?? this.#ask(ids, database)
      this.#pages.set(ids, page)
      return (await page)[index] ?? new Map()
    }
  }

  async #ask(ids: readonly number[], database: Queryable): Promise<readonly Counts[]> {
    const parts = this.#statements.map(
      (statement, index) => sql`select ${index}::int, counted.* from (${statement(ids)}) counted`,
    )
    const counts = this.#statements.map(() => new Map<number, string>())
    for (const [index, id, count] of await database.queryArrays(join(parts, ' union all '))) {
      counts[Number(index)]?.set(Number(id), String(count))
    }
    return counts
  }
}
