import type { Service } from '../query/service.ts'
import type { Form } from '../schema/field.ts'
import type { Model } from '../schema/registry.ts'
import type { Queryable } from '../sql/queryable.ts'
import { baseWriter } from './base.ts'
import type { ValueRow } from './plan.ts'
import { openReader, readTexts, writePlan } from './reader.ts'
import type { Shape } from './shape.ts'

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
  const texts = await writePlan(openReader(service, database), shape.plan, rows)
  return texts.map(baseWriter(base))
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
