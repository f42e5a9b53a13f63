import { LRUCache } from 'lru-cache'
import { DEFINITIONS_CACHING } from '../cache/cache.ts'
import { cachedRows, type RowValue } from '../cache/cached-rows.ts'
import { trackRow, untracked } from '../cache/read-set.ts'
import { type CacheKey, rowKeys } from '../cache/row-keys.ts'
import { oncePer } from '../schema/once-per.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import type { Queryable, QueryOptions } from '../sql/queryable.ts'
import { rowsOf } from '../sql/table.ts'
import { BASE } from './base.ts'
import { nestedPlan } from './compile.ts'
import { JsonBytes } from './json-bytes.ts'
import { JsonText } from './json-text.ts'
import { NestedTexts } from './loaded-texts.ts'
import type { Loaded, Reader, ReadPlan, RowBatch, ValueRow } from './plan.ts'
import type { ReadSource } from './read-source.ts'
import { rowTextOf, rowWriterOf } from './row-writer.ts'
import type { Written } from './written.ts'

/** The context in which plans load what they need from the source. `base`: see Reader. */
export function openReader(source: ReadSource, base: string = BASE): Reader {
  // Uncommitted changes of a transaction are invisible to all others.
  const { service, uncommitted: without } = source
  const { cache } = service
  const keysOf = nestedKeysOf(base)
  const reader: Reader = {
    ...source,
    database: shortQueries(source.database),
    base,
    cached: (key, load) => cache.get(key, load, { ...DEFINITIONS_CACHING, without }),
    nested: async (model, projection, ids) => {
      const plan = nestedPlan(service, model, projection)
      const values = await cachedRows(cache, ids, {
        ...{ model: model.name, without, isEssential: true },
        read: (missing) => readTexts(reader, plan, missing),
        keyOf: keysOf(plan),
        bytes: ({ bytes }) => WAYS * bytes.length,
      })
      return new NestedTexts(values)
    },
  }
  return reader
}

/** A nested text is cached in bytes, and as a string where one is needed. */
const WAYS = 2

/** The keys of nested texts, by the plan of these. */
type NestedKeys = (plan: ReadPlan) => (id: number) => CacheKey

/** By the base of the texts; clients determine it. */
const keysByBase = new LRUCache<string, NestedKeys>({ max: 100 })
let bases = 0

function nestedKeysOf(base: string): NestedKeys {
  const known = keysByBase.get(base)
  if (known) return known
  const prefix = `nested ${bases++}`
  const keys: NestedKeys = oncePer((plan) => rowKeys(`${prefix} ${plan.key}`))
  keysByBase.set(base, keys)
  return keys
}

/** The queries of a page select rows by their ids, and what belongs to these. */
const shortQueries = (database: Queryable): Queryable => ({
  ...database,
  query: (statement) => database.query(statement, SHORT),
  queryArrays: (statement, options) =>
    database.queryArrays(statement, options ? { ...options, ...SHORT } : SHORT),
  queryColumn: (statement) => database.queryColumn(statement, SHORT),
})

const SHORT: QueryOptions = { isShort: true }

/** JSON texts of the rows with the ids. */
async function readTexts(
  reader: Reader,
  plan: ReadPlan,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RowValue<JsonText>>> {
  if (ids.length === 0) return new Map()
  const written = await readPlan(reader, plan, { select: plan.select, ids })
  return new Map(written.map(({ row, json, parts }) => [Number(row[0]), { value: json, parts }]))
}

/** Rows to be read. */
interface WantedRows {
  /** Select list that begins as the plan's does. */
  readonly select: Sql
  readonly ids: readonly number[]
  /** Set where no row is cached, and neither is what is made of them. */
  readonly isUntracked?: boolean | undefined
  /** As in ReadSource. */
  readonly beforeWriting?: ReadSource['beforeWriting'] | undefined
}

/** Reads and writes the rows with the ids; those that are gone are missing. */
export async function readPlan(
  reader: Reader,
  plan: ReadPlan,
  { select, ids, ...options }: WantedRows,
): Promise<Written[]> {
  const { database, inserted } = reader
  const rows =
    inserted?.rows(plan.model.name, select, ids) ??
    database.queryArrays(sql`select ${select} from ${rowsOf(plan.model, ids)}`, {
      undecoded: plan.undecoded,
    })
  return await writePage(reader, plan, { ids, rows }, options)
}

/** Rows whose columns begin as the plan's do, in their order, each with the text of what it shows. See `rowTextOf`. */
export async function writeTexts(
  reader: Reader,
  plan: ReadPlan,
  wanted: Pick<RowBatch, 'ids' | 'rows'>,
): Promise<{ readonly row: ValueRow; readonly text: string }[]> {
  const { rows, loaded } = await loadPage(reader, plan, wanted)
  const textOf = rowTextOf(plan)
  return rows.map((row) => ({ row, text: textOf(row, loaded, reader.base) }))
}

/** The ids of the rows, each once. */
export const idsOf = (rows: readonly ValueRow[]): number[] => [
  ...new Set(rows.map(([id]) => Number(id))),
]

async function writePage(
  reader: Reader,
  plan: ReadPlan,
  wanted: Pick<RowBatch, 'ids' | 'rows'>,
  { isUntracked, beforeWriting }: Omit<WantedRows, 'select' | 'ids'>,
): Promise<Written[]> {
  const { rows, write } = await loadPage(reader, plan, wanted)
  const out = new JsonBytes()
  const jsonOf = (row: ValueRow): JsonText => {
    out.clear()
    write(out, row)
    return new JsonText(Buffer.from(out.bytes))
  }
  await beforeWriting?.()
  if (isUntracked) {
    return untracked(() => rows.map((row) => ({ row, json: jsonOf(row), parts: [] })))
  }
  return rows.map((row) => {
    const { result: json, parts } = trackRow(() => jsonOf(row))
    return { row, json, parts }
  })
}

/** Rows, and how each is written with what belongs to it. */
interface LoadedPage {
  readonly rows: readonly ValueRow[]
  readonly loaded: Loaded
  write(out: JsonBytes, row: ValueRow): void
}

async function loadPage(
  reader: Reader,
  plan: ReadPlan,
  { ids, rows: read }: Pick<RowBatch, 'ids' | 'rows'>,
): Promise<LoadedPage> {
  const { loads } = plan
  const page: RowBatch = { ids, rows: read, shared: new Map() }
  const loading = loads.map(async (load) =>
    load.by === 'ids' ? await load.load(page, reader) : await load.load(await page.rows, reader),
  )
  const [rows, loaded] = await Promise.all([page.rows, Promise.all(loading)])
  const writeRow = rowWriterOf(plan)
  return { rows, loaded, write: (out, row) => writeRow(out, row, loaded, reader.base) }
}
