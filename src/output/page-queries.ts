import type { PageQuery, Values } from '../schema/computed.ts'
import { join, raw, type Sql, sql } from '../sql/fragment.ts'
import { statementTemplate } from '../sql/statement-template.ts'
import { type Reader, type RowBatch, shareOn } from './plan.ts'

export type LoadValues = (page: RowBatch, reader: Reader) => Promise<Values>

/** The queries of one plan, which are sent as one statement per page. */
export class PageQueries {
  readonly #model: string
  readonly #queries: PageQuery[] = []
  readonly #loads = new Map<string, LoadValues>()
  /** Built when the plan is first used, and has all its queries. */
  readonly #statement = statementTemplate((ids) => this.#resultsOf(ids))

  /** `model`: name of the model whose rows a page shows. */
  constructor(model: string) {
    this.#model = model
  }

  /** Adds a query; one that is there already is not sent twice. */
  add(query: PageQuery): LoadValues {
    const { text, values } = query(raw('ids'))
    const key = JSON.stringify([text, values])
    const known = this.#loads.get(key)
    if (known) return known
    const index = this.#queries.push(query) - 1
    const load: LoadValues = async (page, reader) => {
      const results = await shareOn(page, this, () => this.#send(page.ids, reader))
      return results[index] ?? new Map()
    }
    this.#loads.set(key, load)
    return load
  }

  #resultsOf(ids: Sql): Sql {
    const all = this.#queries.map(
      (query, index) =>
        sql`select ${raw(`'${index} '`)} || selected.row || ' ' || selected.values from (${query(ids)}) selected (row, values)`,
    )
    // Text takes PostgreSQL half the time of JSON.
    return sql`select string_agg(results.line, ';') from (${join(all, ' union all ')}) results (line)`
  }

  async #send(ids: readonly number[], { database, inserted }: Reader): Promise<readonly Values[]> {
    if (inserted?.areUnrelated(this.#model, ids)) return []
    const [row] = await database.queryArrays(this.#statement(ids))
    return this.#parse(row?.[0])
  }

  /** Results in the order of the queries; null where nothing belongs to any row. */
  #parse(text: unknown): readonly Values[] {
    const results = this.#queries.map(() => new Map<number, string>())
    if (text === null || text === undefined) return results
    for (const line of String(text).split(';')) {
      const first = line.indexOf(' ')
      const second = line.indexOf(' ', first + 1)
      const id = Number(line.slice(first + 1, second))
      results[Number(line.slice(0, first))]?.set(id, line.slice(second + 1))
    }
    return results
  }
}
