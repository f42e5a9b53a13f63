import { LRUCache } from 'lru-cache'
import { DEFINITIONS_CACHING } from '../../db/cache/cache.ts'
import { cachedRows, type RowValue, uncachedRows } from '../../db/cache/cached-rows.ts'
import { trackRow } from '../../db/cache/read-set.ts'
import { BASE } from '../../schema/fields/file.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable, QueryOptions } from '../../sql/queryable.ts'
import { rowsOf } from '../../sql/table.ts'
import { nestedPlan } from './compile.ts'
import type { Reader, ReadPlan, RowBatch, ValueRow } from './plan.ts'
import type { ReadSource } from './read-source.ts'
import type { RenderedRow } from './rendered.ts'

/** The context from which plans load what they need. `base`: see Reader. */
export function openReader(source: ReadSource, base: string = BASE): Reader {
  // Uncommitted changes of a transaction are invisible to everyone else.
  const { service, uncommitted: without, isRestricted } = source
  const { cache } = service
  const prefix = prefixOf(base)
  const reader: Reader = {
    ...source,
    database: shortQueries(source.database),
    base,
    cached: (key, load) => (isRestricted ? load() : cache.get(key, load, { ...DEFINITIONS_CACHING, without })),
    nested: async (model, projection, ids) => {
      const plan = nestedPlan(service, model, projection)
      if (isRestricted) return uncachedRows(await readTexts(reader, plan, [...ids]))
      return await cachedRows(cache, ids, {
        ...{ model: model.name, without, isEssential: true },
        read: (missing) => readTexts(reader, plan, missing),
        keyPrefix: `${prefix}${plan.key} `,
        bytes: (text) => text.length,
      })
    },
  }
  return reader
}

/** Maximum number of base URLs whose texts are cached; clients determine them. */
const prefixes = new LRUCache<string, string>({ max: 100 })
let bases = 0

/** Prefixes the keys of nested texts with the base URL. */
function prefixOf(base: string): string {
  const prefix = prefixes.get(base) ?? `nested ${bases++} `
  prefixes.set(base, prefix)
  return prefix
}

/** The queries of a batch select rows by their ids, and the data that belongs to these. */
const shortQueries = (database: Queryable): Queryable => ({
  ...database,
  query: (statement) => database.query(statement, SHORT),
  queryArrays: (statement) => database.queryArrays(statement, SHORT),
  queryColumn: (statement) => database.queryColumn(statement, SHORT),
})

const SHORT: QueryOptions = { isShort: true }

/** JSON texts of the rows with the ids. */
async function readTexts(
  reader: Reader,
  plan: ReadPlan,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RowValue<string>>> {
  if (ids.length === 0) return new Map()
  const rendered = await readPlan(reader, plan, { select: plan.select, ids })
  return new Map(rendered.map(({ row, text, parts }) => [Number(row[0]), { value: text, parts }]))
}

/** Rows to be read. */
interface WantedRows {
  /** Select list that begins with the plan's columns. */
  readonly select: Sql
  readonly ids: readonly number[]
}

/** Reads and serialises the rows with the ids; deleted rows are missing. */
export async function readPlan(reader: Reader, plan: ReadPlan, { select, ids }: WantedRows): Promise<RenderedRow[]> {
  const rows = reader.database.queryArrays(sql`select ${select} from ${rowsOf(plan.model, ids)}`)
  return await renderBatch(reader, plan, { ids, rows })
}

/** Serialises rows whose first columns are those of the plan, in their order, with the data that belongs to them. */
export const renderRows = (reader: Reader, plan: ReadPlan, rows: readonly ValueRow[]): Promise<RenderedRow[]> =>
  renderBatch(reader, plan, { ids: idsOf(rows), rows })

const idsOf = (rows: readonly ValueRow[]): number[] => [...new Set(rows.map(([id]) => Number(id)))]

async function renderBatch(
  reader: Reader,
  plan: ReadPlan,
  batch: Pick<RowBatch, 'ids' | 'rows'>,
): Promise<RenderedRow[]> {
  const { rows, textOf } = await loadBatch(reader, plan, batch)
  return rows.map((row) => {
    const { result: text, parts } = trackRow(() => textOf(row))
    return { row, text, parts }
  })
}

/** The rows, and a function that serialises each with the data that belongs to it. */
interface LoadedBatch {
  readonly rows: readonly ValueRow[]
  textOf(row: ValueRow): string
}

async function loadBatch(
  reader: Reader,
  { loads, parts }: ReadPlan,
  { ids, rows: read }: Pick<RowBatch, 'ids' | 'rows'>,
): Promise<LoadedBatch> {
  const batch: RowBatch = { ids, rows: read, shared: new Map() }
  const loading = loads.map(async (load) =>
    load.by === 'ids' ? await load.load(batch, reader) : await load.load(await batch.rows, reader),
  )
  const [rows, loaded] = await Promise.all([batch.rows, Promise.all(loading)])
  const textOf = (row: ValueRow): string => {
    let text = parts.length === 0 ? '{' : ''
    for (const { head, render } of parts) text += head + render(row, loaded, reader.base)
    return `${text}}`
  }
  return { rows, textOf }
}
