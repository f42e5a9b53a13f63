import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  cachedRows,
  MOST_CACHED_ROWS,
  type RowValue,
  type RowValues,
  uncachedRows,
} from '../../db/cache/cached-rows.ts'
import type { TextsById } from '../../schema/computed.ts'
import type { NestedProjection } from '../../schema/field.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { baseText } from './base.ts'
import type { Projection } from './projection.ts'
import type { ReadSource } from './read-source.ts'
import { openReader, readPlan } from './reader.ts'

/** Objects per statement: some milliseconds of work. */
export const ROWS_AT_ONCE = MOST_CACHED_ROWS

/** An object as a response shows it. */
interface ShownObject {
  /** JSON including URLs, in bytes, as it is sent. */
  readonly json: Buffer
  /** Time of the last save, in the format of db/decode.ts; null for models without one. */
  readonly version: unknown
}

type ShownObjects = RowValues<ShownObject>

/**
 * The objects with the ids in the projection, with URLs that begin with `base` (no slash at the end); deleted objects
 * are missing. They are cached, unless they are read within a transaction.
 */
export async function readObjects(
  source: ReadSource,
  ids: readonly number[],
  projection: Projection,
  base: string,
): Promise<ShownObjects> {
  const read = (missing: readonly number[]) => readRows(source, missing, projection, base)
  if (!areCached(source)) return uncachedRows(await read(ids))
  return await cachedRows(source.service.cache, ids, {
    model: projection.model.name,
    read,
    keyPrefix: keyPrefix(projection, base),
    bytes: ({ json }) => json.length,
  })
}

/** Whether objects read from the source are cached one by one. */
const areCached = ({ service, uncommitted, isReadOnce }: ReadSource): boolean =>
  !uncommitted && !isReadOnce && service.cache.holds()

/** The object if it is cached. */
export const cachedObject = (
  { cache }: Service,
  projection: Projection,
  base: string,
  id: number,
): ShownObject | undefined => cache.find(keyPrefix(projection, base) + id)

const keyPrefix = ({ key }: Projection, base: string): string => `object ${key} ${base} `

/** As `readObjects`, but only the JSON, in the order of the ids; deleted objects are left out. */
export async function readInOrder(
  source: ReadSource,
  ids: readonly number[],
  projection: Projection,
  base: string,
): Promise<Buffer[]> {
  const objects = await readObjects(source, ids, projection, base)
  return ids.flatMap((id) => objects.get(id)?.json ?? [])
}

/** As `readObjects`, but only the JSON texts, for callers that parse them. */
export async function fetchObjects(
  source: ReadSource,
  ids: readonly number[],
  projection: Projection,
  base: string,
): Promise<ReadonlyMap<number, string>> {
  const objects = await readObjects(source, ids, projection, base)
  const texts = ids.map((id) => [id, objects.get(id)?.json.toString()] as const)
  return new Map(texts.flatMap(([id, text]) => (text === undefined ? [] : [[id, text]])))
}

/**
 * Nested JSON texts of objects by id, in the model's nested projection or the given one. They contain the placeholder
 * of the base URL, which `withBase` replaces when the response is complete.
 */
export async function nestedOf(
  source: ReadSource,
  model: Model,
  ids: readonly number[],
  projection: NestedProjection = model.nested,
): Promise<TextsById> {
  return await openReader(source).nested(model, projection, ids)
}

/** The rows with the ids, in any order, with their complete texts. */
async function readRows(
  source: ReadSource,
  ids: readonly number[],
  { plan, select }: Projection,
  base: string,
): Promise<ReadonlyMap<number, RowValue<ShownObject>>> {
  const reader = openReader(source, baseText(base))
  const objects = new Map<number, RowValue<ShownObject>>()
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    // Other requests get their turn between the slices of a list.
    if (start > 0) await nextTurn()
    // The same array if it is short: trackDependencies recognises the caller's rows by it.
    const slice = ids.length <= ROWS_AT_ONCE ? ids : ids.slice(start, start + ROWS_AT_ONCE)
    for (const { row, text, parts } of await readPlan(reader, plan, { select, ids: slice })) {
      const value = { json: Buffer.from(text), version: row.at(-1) }
      objects.set(Number(row[0]), { value, parts })
    }
  }
  return objects
}
