import type { PageQuery, RowsByOwner } from '../../schema/computed.ts'
import { sql } from '../../sql/fragment.ts'
import { type Reader, type RowBatch, shareOn } from './plan.ts'

export type LoadRows = (page: RowBatch, reader: Reader) => Promise<RowsByOwner>

/** The queries of one plan about the rows of a page. Fields with the same query share its result. */
export class PageQueries {
  readonly #model: string
  readonly #loads = new Map<string, LoadRows>()

  /** `model`: name of the model whose rows a page shows. */
  constructor(model: string) {
    this.#model = model
  }

  /** Adds a query; one that is there already is not sent twice. */
  add(query: PageQuery): LoadRows {
    const { text, values } = query(sql`${[]}`)
    const key = JSON.stringify([text, values])
    const known = this.#loads.get(key)
    if (known) return known
    const load: LoadRows = (page, reader) =>
      shareOn(page, load, () => this.#send(query, page, reader))
    this.#loads.set(key, load)
    return load
  }

  async #send(
    query: PageQuery,
    { ids }: RowBatch,
    { database, inserted }: Reader,
  ): Promise<RowsByOwner> {
    const byOwner = new Map<number, unknown[][]>()
    if (inserted?.areUnrelated(this.#model, ids)) return byOwner
    for (const [owner, ...values] of await database.queryArrays(query(sql`${ids}`))) {
      const rows = byOwner.get(Number(owner))
      if (rows) rows.push(values)
      else byOwner.set(Number(owner), [values])
    }
    return byOwner
  }
}
