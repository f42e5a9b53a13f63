import { isJsonObject, type JsonObject, objectsIn } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'

/** Fields whose values name objects together with their types. */
const typedFields = oncePer((model: Model): readonly string[] =>
  [...model.fields].flatMap(([name, field]) =>
    (field.kind === 'genericForeignKey' && field.takesObject) || (field.kind === 'computed' && field.joins)
      ? [name]
      : [],
  ),
)

/** The bodies with names of object types in place of `content_type_id`, by which clients of custom objects name them. */
export async function withTypeNames(
  { transaction }: WriteContext,
  model: Model,
  bodies: readonly unknown[],
): Promise<readonly unknown[]> {
  const fields = typedFields(model)
  const ids = bodies.flatMap((body) =>
    isJsonObject(body) ? fields.flatMap((name) => objectsIn([body[name] ?? null].flat()).flatMap(typeIdOf)) : [],
  )
  if (ids.length === 0) return bodies
  const rows = await transaction.query<{ id: number; app_label: string; model: string }>(
    sql`select id, app_label, model from ${table(SYSTEM.objectType)} where id = any(${ids}::bigint[])`,
  )
  const types = new Map(rows.map(({ id, ...names }) => [Number(id), names]))
  const withNames = (value: JsonObject): JsonObject => ({ ...value, ...types.get(Number(value.content_type_id)) })
  return bodies.map((body) => {
    if (!isJsonObject(body)) return body
    const values = fields.flatMap((name) => {
      const value = body[name]
      if (isJsonObject(value)) return [[name, withNames(value)]]
      return Array.isArray(value) ? [[name, value.map((item) => (isJsonObject(item) ? withNames(item) : item))]] : []
    })
    return { ...body, ...Object.fromEntries(values) }
  })
}

const typeIdOf = ({ content_type_id: id }: JsonObject): readonly number[] =>
  Number.isSafeInteger(id) ? [Number(id)] : []
