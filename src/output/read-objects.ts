import { setImmediate as nextTurn } from 'node:timers/promises'
import { withBasis } from '../query/basis.ts'
import type { NestedProjection } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import type { Queryable } from '../sql/queryable.ts'
import { baseWriter } from './base.ts'
import type { Projection } from './projection.ts'
import { openReader, readPlan } from './reader.ts'
import { keepShown, recall, type ShownObject } from './text-memory.ts'

/** Some milliseconds of work, and no statement with more ids than this. */
export const ROWS_AT_ONCE = 1_000

type ShownObjects = ReadonlyMap<number, ShownObject>

/**
 * The objects with the ids as the projection shows them, urls beginning with `base` (no slash at the end);
 * those that are gone are missing. What was shown before and has not changed since is not read again,
 * except through a transaction.
 */
export async function readObjects(
  service: Service,
  queryable: Queryable,
  ids: readonly number[],
  projection: Projection,
  base: string,
): Promise<ShownObjects> {
  if (queryable !== service.database)
    return await readRows(service, queryable, ids, projection, base)
  const shown = new Map<number, ShownObject>()
  const missing: number[] = []
  for (const id of ids) {
    const known = recall(service, projection, base, id)
    if (known) shown.set(id, known)
    else missing.push(id)
  }
  if (missing.length === 0) return shown
  const { result, basis } = await withBasis(service, () =>
    readRows(service, queryable, missing, projection, base),
  )
  // More than a page is asked for once in a while, and would push everything else out.
  if (basis && missing.length <= ROWS_AT_ONCE) keepShown(service, projection, base, result, basis)
  for (const [id, each] of result) shown.set(id, each)
  return shown
}

/** As `readObjects`, JSON alone in the order of the ids; what is gone is left out. */
export async function readInOrder(
  service: Service,
  queryable: Queryable,
  ids: readonly number[],
  projection: Projection,
  base: string,
): Promise<Buffer[]> {
  const shown = await readObjects(service, queryable, ids, projection, base)
  return ids.flatMap((id) => shown.get(id)?.json ?? [])
}

/** As `readObjects`, JSON texts alone; for those who read them. */
export async function fetchObjects(
  service: Service,
  queryable: Queryable,
  ids: readonly number[],
  projection: Projection,
  base: string,
): Promise<ReadonlyMap<number, string>> {
  const shown = await readObjects(service, queryable, ids, projection, base)
  return new Map([...shown].map(([id, { json }]) => [id, json.toString()]))
}

/**
 * Nested JSON texts of objects by id, in the model's nested projection or the one given. They hold the
 * placeholder of the base: `withBase` replaces it when the answer is complete.
 */
export async function nestedOf(
  service: Service,
  queryable: Queryable,
  model: Model,
  ids: readonly number[],
  projection: NestedProjection = model.nested,
): Promise<ReadonlyMap<number, string>> {
  return await openReader(service, queryable).nested(model, projection, ids)
}

async function readRows(
  service: Service,
  queryable: Queryable,
  ids: readonly number[],
  { select, plan }: Projection,
  base: string,
): Promise<ShownObjects> {
  const reader = openReader(service, queryable)
  const withBase = baseWriter(base)
  const shown = new Map<number, ShownObject>()
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    // Others have their turn between the parts of a page of any length.
    if (start > 0) await nextTurn()
    const part = ids.slice(start, start + ROWS_AT_ONCE)
    for (const { row, text } of await readPlan(reader, plan, select, part)) {
      shown.set(Number(row[0]), { json: Buffer.from(withBase(text)), version: row.at(-1) })
    }
  }
  return shown
}
