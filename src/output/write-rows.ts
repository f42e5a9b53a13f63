import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Service } from '../query/service.ts'
import type { Form } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { Queryable } from '../sql/queryable.ts'
import { baseWriter } from './base.ts'
import type { ValueRow } from './plan.ts'
import { openReader, readTexts, writePlan } from './reader.ts'
import type { Shape } from './shape.ts'

/** Some milliseconds of work, and no statement with more ids than this. */
const ROWS_AT_ONCE = 1_000

/**
 * JSON texts of rows that were selected by the shape's list, in their order, urls beginning with `base`
 * (no slash at the end). What they refer to is read through `database`.
 */
export async function writeRows(
  service: Service,
  shape: Shape,
  rows: readonly ValueRow[],
  base: string,
  database: Queryable = service.database,
): Promise<string[]> {
  const reader = openReader(service, database)
  const withBase = baseWriter(base)
  const texts: string[] = []
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    // Others have their turn between the parts of a page of any length.
    if (start > 0) await nextTurn()
    const part = await writePlan(reader, shape.plan, rows.slice(start, start + ROWS_AT_ONCE))
    for (const text of part) texts.push(withBase(text))
  }
  return texts
}

/** JSON texts of the objects with the ids, as a page would show them; those that are gone are missing. */
export async function fetchObjects(
  service: Service,
  queryable: Queryable,
  ids: readonly number[],
  shape: Shape,
  base: string,
): Promise<Map<number, string>> {
  const texts = await readTexts(openReader(service, queryable), shape.plan, ids)
  const withBase = baseWriter(base)
  return new Map([...texts].map(([id, text]) => [id, withBase(text)]))
}

/**
 * Nested JSON texts of objects by id, in the model's nested form or the one given. They hold the
 * placeholder of the base: `withBase` replaces it when the answer is complete.
 */
export async function nestedOf(
  service: Service,
  queryable: Queryable,
  model: Model,
  ids: readonly number[],
  form: Form = model.nested,
): Promise<ReadonlyMap<number, string>> {
  return await openReader(service, queryable).nested(model, form, ids)
}
