import type { BatchQuery, RowsByOwner } from '../../schema/computed.ts'
import type { NestedProjection } from '../../schema/field.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { expressionKey, identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import {
  type Load,
  type LoadByIds,
  type LoadByRows,
  type Part,
  type PlanForm,
  type Reader,
  type RowBatch,
  shareOn,
  type ValueRenderer,
  type ValueRow,
} from './plan.ts'

/** Collects what the fields of one projection need: columns of the row, and loads for the batch. */
export class PlanBuilder {
  readonly service: Service
  readonly model: Model
  readonly form: PlanForm
  readonly parts: Part[] = []
  readonly loads: Load[] = []
  readonly #queries: BatchQueries
  readonly #counts: BatchCounts
  readonly #columns: Sql[] = []
  readonly #indexes = new Map<string, number>()
  readonly #keyed = new Map<Model, Map<NestedProjection, KeyedLoad>>()

  constructor(service: Service, model: Model, form: PlanForm) {
    this.service = service
    this.model = model
    this.form = form
    this.#queries = new BatchQueries()
    this.#counts = new BatchCounts(this.#queries)
    this.column(sql`t.id`)
  }

  /** Position of the expression in the select list. */
  column(expression: Sql): number {
    const key = expressionKey(expression)
    const existing = this.#indexes.get(key)
    if (existing !== undefined) return existing
    const index = this.#columns.push(expression) - 1
    this.#indexes.set(key, index)
    return index
  }

  /** Position of a stored column, by row key. */
  stored(key: string): number {
    const column = this.model.columns.get(key)
    if (!column) throw new Error(`${this.model.name}: no column ${key} to show`)
    return this.column(sql`t.${identifier(column.name)}`)
  }

  part(name: string, render: ValueRenderer): void {
    const opening = this.parts.length === 0 ? '{' : ','
    this.parts.push({ head: `${opening}${JSON.stringify(name)}:`, render })
  }

  /** Position of the result of a load that needs the rows. */
  loadByRows(load: LoadByRows): number {
    return this.loads.push({ by: 'rows', load }) - 1
  }

  /** Position of the result of a load that needs only their ids. */
  loadByIds(load: LoadByIds): number {
    return this.loads.push({ by: 'ids', load }) - 1
  }

  /** Adds a query by the batch's ids. All queries of a level are sent in one message. */
  addQuery(query: BatchQuery): LoadRows {
    return this.#queries.add(query)
  }

  /** Adds a query that selects ids of the batch's rows, each with a number. All of them are sent in one statement. */
  addCount(query: BatchQuery): LoadCounts {
    return this.#counts.add(query)
  }

  /** Renders the object whose id is at `index`. All relations to one projection are loaded together. */
  nested(model: Model, projection: NestedProjection, index: number): ValueRenderer {
    const projections = this.#keyed.get(model) ?? new Map<NestedProjection, KeyedLoad>()
    this.#keyed.set(model, projections)
    const existing = projections.get(projection)
    if (existing) existing.indexes.push(index)
    const keyed = existing ?? this.#addKeyedLoad(model, projection, index)
    projections.set(projection, keyed)
    const { position } = keyed
    return (row, loaded) => {
      const id = row[index]
      return id === null ? 'null' : (loaded[position]?.get(Number(id)) ?? 'null')
    }
  }

  #addKeyedLoad(model: Model, projection: NestedProjection, index: number): KeyedLoad {
    const indexes = [index]
    const position = this.loadByRows((rows, reader) => reader.nested(model, projection, idsAt(rows, indexes)))
    return { position, indexes }
  }

  select(): Sql {
    return join(this.#columns)
  }

  /** The expressions in the select list. */
  get columns(): readonly Sql[] {
    return this.#columns
  }
}

interface KeyedLoad {
  readonly position: number
  readonly indexes: number[]
}

/** The ids at any of the positions, each once. */
export function idsAt(rows: readonly ValueRow[], indexes: readonly number[]): Set<number> {
  const ids = new Set<number>()
  for (const row of rows) {
    for (const index of indexes) {
      const id = row[index]
      if (id !== null) ids.add(Number(id))
    }
  }
  return ids
}

type LoadRows = (batch: RowBatch, reader: Reader) => Promise<RowsByOwner>

/** The queries of one plan about the rows of a batch. Fields with the same query share its result. */
class BatchQueries {
  readonly #loads = new Map<string, LoadRows>()

  /** Adds a query; equal queries are sent only once. */
  add(query: BatchQuery): LoadRows {
    const { text, values } = query(sql`${[]}`)
    const key = JSON.stringify([text, values])
    const existing = this.#loads.get(key)
    if (existing) return existing
    const load: LoadRows = (batch, reader) => shareOn(batch, load, () => this.send(query, batch, reader))
    this.#loads.set(key, load)
    return load
  }

  async send(query: BatchQuery, { ids }: RowBatch, { database }: Reader): Promise<RowsByOwner> {
    const byOwner = new Map<number, unknown[][]>()
    for (const [owner, ...values] of await database.queryArrays(query(sql`${ids}`))) {
      const rows = byOwner.get(Number(owner))
      if (rows) rows.push(values)
      else byOwner.set(Number(owner), [values])
    }
    return byOwner
  }
}

/** The numbers of one query, by the ids of the batch's rows; 0 if an id is missing. */
type LoadCounts = (batch: RowBatch, reader: Reader) => Promise<ReadonlyMap<number, string>>

/** The counts of one plan, each a separate query, in one statement. */
class BatchCounts {
  readonly #queries: BatchQueries
  readonly #counts: BatchQuery[] = []

  constructor(queries: BatchQueries) {
    this.#queries = queries
  }

  add(query: BatchQuery): LoadCounts {
    const index = this.#counts.push(query) - 1
    return async (batch, reader) => (await shareOn(batch, this, () => this.#load(batch, reader)))[index] ?? new Map()
  }

  async #load(batch: RowBatch, reader: Reader): Promise<readonly Map<number, string>[]> {
    const counts = this.#counts.map(() => new Map<number, string>())
    for (const [id, numbers] of await this.#queries.send((ids) => this.#union(ids), batch, reader)) {
      for (const [index, count] of numbers) counts[Number(index)]?.set(id, String(count))
    }
    return counts
  }

  /** Selects an id, the index of the count, and the number. */
  #union(ids: Sql): Sql {
    const selects = this.#counts.map(
      (query, index) => sql`select c.id, ${raw(`${index}`)}, c.number from (${query(ids)}) c(id, number)`,
    )
    return join(selects, ' union all ')
  }
}
