import { T } from '../query/alias.ts'
import { displayOf } from '../query/display.ts'
import { scalarPath } from '../query/scalar-path.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import { join, raw, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { WriteContext } from './context.ts'
import { objectKey } from './dependent-rows.ts'
import { type ObjectReference, parentObject, relatedObject } from './related-object.ts'
import type { StoredRow } from './rows.ts'

/** Names of an object and of the objects around it, as they were at its deletion. */
export interface ObjectContext extends JsonObject {
  /** The values that identify the object, by field; related objects by their display texts. */
  readonly key: JsonObject
  /** The object that it belonged to. */
  readonly parent: Json
  /** The objects that a cable connected, by side. */
  readonly ends: Json
}

/** Contexts of the rows that are about to be deleted, by `objectKey`: one statement for each model that they name. */
export async function objectContexts(
  { service: { registry }, transaction }: WriteContext,
  deleted: ReadonlyMap<Model, readonly StoredRow[]>,
): Promise<ReadonlyMap<string, ObjectContext>> {
  const recorded = [...deleted].filter(([model]) => model.has('changeLogging'))
  const rows = recorded.flatMap(([model, list]) => list.map((row) => ({ model, row })))
  const sides = endsBySide(recorded)
  const named = new Map<string, Set<number>>()
  const name = ({ type, id }: ObjectReference) =>
    named.set(type, (named.get(type) ?? new Set()).add(id))
  for (const { model, row } of rows) {
    name({ type: model.name, id: row.id })
    const parent = parentObject(model, row)
    if (parent) name(parent)
  }
  for (const list of sides.values()) for (const { end } of list) name(end)
  const described = new Map<string, Described>()
  await Promise.all(
    [...named].map(async ([type, ids]) => {
      const model = registry.models.get(type)
      if (!model) return
      const found = await transaction.query<{ id: number; display: string; key: string }>(sql`
        select t.id, ${displayOf(model, T)} as display, ${keyOf(model)}::text as key
        from ${table(model)} t where t.id = any(${[...ids]}::bigint[])`)
      for (const { id, display, key } of found) {
        described.set(objectKey(type, id), { display, key: JSON.parse(key) as JsonObject }) // built by keyOf
      }
    }),
  )
  const describe = ({ type, id }: ObjectReference): JsonObject => ({
    object_type: type,
    object_id: id,
    ...(described.get(objectKey(type, id)) ?? { display: '', key: {} }),
  })
  return new Map(
    rows.map(({ model, row }) => {
      const own = objectKey(model.name, row.id)
      const parent = parentObject(model, row)
      const ends = Map.groupBy(sides.get(own) ?? [], ({ side }) => side)
      const context: ObjectContext = {
        key: described.get(own)?.key ?? {},
        parent: parent ? describe(parent) : null,
        ends:
          ends.size === 0
            ? null
            : Object.fromEntries(
                [...ends].map(([side, list]) => [side, list.map(({ end }) => describe(end))]),
              ),
      }
      return [own, context] as const
    }),
  )
}

interface Described extends JsonObject {
  readonly display: string
  readonly key: JsonObject
}

interface End {
  readonly side: string
  readonly end: ObjectReference
}

/** The objects that the deleted ones connected, by their `objectKey`: the related objects of their parts that stand at a side. */
function endsBySide(
  deleted: readonly (readonly [Model, readonly StoredRow[]])[],
): ReadonlyMap<string, readonly End[]> {
  const found = new Map<string, End[]>()
  for (const [model, rows] of deleted) {
    const { changeSide } = model.definition
    const holder = changeSide && model.fields.get(changeSide.of)
    if (!changeSide || holder?.kind !== 'foreignKey') continue
    for (const row of rows) {
      const end = relatedObject(model, row)
      if (!end) continue
      const key = objectKey(holder.to, Number(row[changeSide.of]))
      found.set(key, [...(found.get(key) ?? []), { side: String(row[changeSide.side]), end }])
    }
  }
  return found
}

/** JSON object of the values of row `t` that identify it: those of its first unique constraint, or its display text. */
const keyOf = oncePer((model: Model): Sql => {
  const names = keyFields(model)
  if (names.length === 0) return sql`json_build_object('display', ${displayOf(model, T)})`
  const parts = names.flatMap((name) => {
    const kind = model.fields.get(name)?.kind
    const path = kind === 'foreignKey' || kind === 'genericForeignKey' ? `${name}.display` : name
    return [raw(`'${name}'`), scalarPath(model, T, path, displayOf)]
  })
  return sql`json_build_object(${join(parts)})`
})

function keyFields({ definition, fields }: Model): readonly string[] {
  const together = (definition.unique ?? []).find((unique) =>
    unique.fields.every((name) => fields.has(name)),
  )
  if (together) return together.fields
  const single = [...fields].find(([, field]) => 'unique' in field && field.unique)
  return single ? [single[0]] : []
}
