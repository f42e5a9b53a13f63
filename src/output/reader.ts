import type { Service } from '../service.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import { nestedPlan } from './compile.ts'
import type { Reader, ReadPlan, Texts, ValueRow } from './plan.ts'

/** Texts of one projection that are kept at most; a few megabytes. */
const KEPT_PER_FORM = 5_000

/** Reads nested objects through `database`: the service's own, or a transaction with changes to be seen. */
export function openReader(service: Service, database: Queryable): Reader {
  // What a transaction has not committed yet is not true for anybody else.
  const isShared = (models: Iterable<string>): boolean =>
    database === service.database || hasUntouched(database, models)
  const reader: Reader = {
    service,
    database,
    remember: (key, models, load) =>
      isShared(models) ? service.memory.get(key, models, load) : load(),
    nested: async (model, projection, ids) => {
      const plan = nestedPlan(service, model, projection)
      const dependencies = plan.dependencies()
      if (!dependencies || !isShared(dependencies)) return await readTexts(reader, plan, [...ids])
      // Taken before the query: a change in between leaves a map that nobody finds any more.
      const kept = await service.memory.get(
        plan.key,
        [...dependencies],
        async () => new Map<number, string>(),
      )
      return await completed(reader, plan, [...ids], kept)
    },
  }
  return reader
}

/** Whether a transaction is known to have left the models alone, so that it sees of them what everybody sees. */
function hasUntouched({ uncommitted }: Queryable, models: Iterable<string>): boolean {
  if (!uncommitted) return false
  for (const model of models) if (uncommitted.has(model)) return false
  return true
}

/** Texts of the ids, those that are not kept yet read and kept. */
async function completed(
  reader: Reader,
  plan: ReadPlan,
  ids: readonly number[],
  kept: Map<number, string>,
): Promise<Texts> {
  // A copy, since others make room in the map while this page waits for its other loads.
  const texts = new Map<number, string>()
  const missing: number[] = []
  for (const id of ids) {
    const text = kept.get(id)
    if (text === undefined) missing.push(id)
    else texts.set(id, text)
  }
  const read = await readTexts(reader, plan, missing)
  if (kept.size + read.size > KEPT_PER_FORM) kept.clear()
  for (const [id, text] of read) {
    texts.set(id, text)
    if (kept.size < KEPT_PER_FORM) kept.set(id, text)
  }
  return texts
}

/** JSON texts, with the placeholder of the base, of the rows with the ids. */
async function readTexts(reader: Reader, plan: ReadPlan, ids: readonly number[]): Promise<Texts> {
  if (ids.length === 0) return new Map()
  const written = await readPlan(reader, plan, plan.select, ids)
  return new Map(written.map(({ row, text }) => [Number(row[0]), text]))
}

/** A row, and the JSON text of what it shows, with the placeholder of the base. */
export interface Written {
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
    database.queryArrays(
      sql`select ${select} from ${table(model)} t where t.id = any(${ids}::bigint[])`,
    )
  const loading = loads.map(async (load) =>
    load.by === 'ids' ? await load.load(ids, reader) : await load.load(await reading, reader),
  )
  const [rows, loaded] = await Promise.all([reading, Promise.all(loading)])
  return rows.map((row) => {
    let text = parts.length === 0 ? '{' : ''
    for (const { head, write } of parts) text += head + write(row, loaded)
    return { row, text: `${text}}` }
  })
}
