import { join, raw, type Sql, sql } from '../sql/fragment.ts'
import { statementTemplate } from '../sql/statement-template.ts'
import { type Reader, type RowBatch, shareOn } from './plan.ts'

/**
 * Asks what belongs to the rows with the ids, which are a value: `any(${ids}::bigint[])`. Selects the id of a row, a value as text, and
 * the place of the value among those of the row. Rows to which nothing belongs may be missing.
 */
export type PageQuery = (ids: Sql) => Sql

/** Values by the id of the row, in their order. */
export type Values = ReadonlyMap<number, readonly string[]>

export type LoadValues = (page: RowBatch, reader: Reader) => Promise<Values>

/** The queries of one plan, which are sent as one statement per page. */
export class PageQueries {
  readonly #model: string
  readonly #questions: PageQuery[] = []
  /** Built when the plan is first used, and has all its queries. */
  readonly #statement = statementTemplate((ids) =>
    join(
      this.#questions.map(
        (question, index) =>
          sql`select ${raw(String(index))}, asked.row, asked.value, asked.place from (${question(ids)}) asked (row, value, place)`,
      ),
      ' union all ',
    ),
  )

  /** `model`: name of the model whose rows a page shows. */
  constructor(model: string) {
    this.#model = model
  }

  add(question: PageQuery): LoadValues {
    const index = this.#questions.push(question) - 1
    return async (page, reader) => {
      const answers = await shareOn(page, this, () => this.#ask(page.ids, reader))
      return answers[index] ?? new Map()
    }
  }

  async #ask(ids: readonly number[], { database, inserted }: Reader): Promise<readonly Values[]> {
    if (inserted?.areUnrelated(this.#model, ids)) return []
    const rows = await database.queryArrays(this.#statement(ids))
    const answers = this.#questions.map(() => new Map<number, string[]>())
    for (const [index, id, value] of rows.toSorted(byPlace)) {
      const answer = answers[Number(index)]
      const values = answer?.get(Number(id))
      if (values) values.push(String(value))
      else answer?.set(Number(id), [String(value)])
    }
    return answers
  }
}

const PLACE = 3
const byPlace = (one: readonly unknown[], other: readonly unknown[]): number =>
  Number(one[PLACE]) - Number(other[PLACE])
