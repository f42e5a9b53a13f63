import { DEFINITIONS_CACHING } from '../cache/cache.ts'
import { cachedRows, type RowValue, uncachedRows } from '../cache/cached-rows.ts'
import { trackRow } from '../cache/read-set.ts'
import type { Service } from '../service.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { rowsOf } from '../sql/table.ts'
import { nestedPlan } from './compile.ts'
import type { Reader, ReadPlan, ValueRow } from './plan.ts'

/** Reads nested objects through `database`: the service's own, or a transaction with changes to be seen. */
export function openReader(service: Service, database: Queryable): Reader {
  const { cache } = service
  const isTransaction = database !== service.database
  // Uncommitted changes of a transaction are invisible to all others.
  const without = isTransaction ? database.uncommitted : undefined
  const isCached = !isTransaction || without !== undefined
  const reader: Reader = {
    service,
    database,
    cached: (key, load) =>
      isCached ? cache.get(key, load, { ...DEFINITIONS_CACHING, without }) : load(),
    nested: async (model, projection, ids) => {
      const plan = nestedPlan(service, model, projection)
      const read = (missing: readonly number[]) => readTexts(reader, plan, missing)
      if (!isCached) return uncachedRows(await read([...ids]))
      return await cachedRows(cache, ids, {
        ...{ model: model.name, read, without, isEssential: true },
        keyOf: (id) => `nested ${plan.key} ${id}`,
        bytes: (text) => text.length,
      })
    },
  }
  return reader
}

/** JSON texts, with the placeholder of the base, of the rows with the ids. */
async function readTexts(
  reader: Reader,
  plan: ReadPlan,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RowValue<string>>> {
  if (ids.length === 0) return new Map()
  const written = await readPlan(reader, plan, plan.select, ids)
  return new Map(written.map(({ row, text, parts }) => [Number(row[0]), { value: text, parts }]))
}

/** A row, and the JSON text of what it shows, with the placeholder of the base. */
export interface Written extends Pick<RowValue<string>, 'parts'> {
  readonly row: ValueRow
  readonly text: string
}

/** Reads and writes the rows with the ids; those that are gone are missing. `select` begins as the plan's does. */
export async function readPlan(
  reader: Reader,
  { model, loads, parts }: ReadPlan,
  select: Sql,
  ids: readonly number[],
): Promise<Written[]> {
  const { database } = reader
  const reading =
    database.fresh?.rows(model.name, select, ids) ??
    database.queryArrays(sql`select ${select} from ${rowsOf(model, ids)}`)
  const loading = loads.map(async (load) =>
    load.by === 'ids' ? await load.load(ids, reader) : await load.load(await reading, reader),
  )
  const [rows, loaded] = await Promise.all([reading, Promise.all(loading)])
  const textOf = (row: ValueRow): string => {
    let text = parts.length === 0 ? '{' : ''
    for (const { head, write } of parts) text += head + write(row, loaded)
    return `${text}}`
  }
  return rows.map((row) => {
    const { result: text, parts } = trackRow(() => textOf(row))
    return { row, text, parts }
  })
}
