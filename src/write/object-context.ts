import { T } from '../query/alias.ts'
import { displayOf } from '../query/display.ts'
import { scalarPath } from '../query/scalar-path.ts'
import { genericPart } from '../schema/generic-keys.ts'
import type { Json, JsonObject } from '../schema/json.ts'
import { keyOfObject, keysInOrder } from '../schema/natural-key.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import { empty, join, raw, type Sql, sql } from '../sql/fragment.ts'
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
      const found = await transaction.query<{ id: number; display: string; values: string }>(sql`
        select t.id, ${displayOf(model, T)} as display, ${keyValues(model)}::text as values
        from ${table(model)} t where t.id = any(${[...ids]}::bigint[])`)
      for (const { id, display, values } of found) {
        const key = keyIn(model, display, JSON.parse(values) as JsonObject) // built by keyValues
        described.set(objectKey(type, id), { display, key })
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

/** JSON object of the values of row `t` of all keys of its model; related objects by their display texts. */
const keyValues = oncePer((model: Model): Sql => {
  const names = new Set(keysInOrder(model).flatMap(({ fields, absent }) => [...fields, ...absent]))
  const parts = [...names].flatMap((name) => {
    const generic = genericPart(model, name)
    const isRelated = model.fields.get(name)?.kind === 'foreignKey'
    const path = generic?.part === 'id' ? generic.relation : name
    const isNamed = isRelated || generic?.part === 'id'
    return [raw(`'${name}'`), scalarPath(model, T, isNamed ? `${path}.display` : path, displayOf)]
  })
  return sql`json_build_object(${parts.length === 0 ? empty : join(parts)})`
})

/** Those of the values that identify the object, or its display text. */
function keyIn(model: Model, display: string, values: JsonObject): JsonObject {
  const names = keyOfObject(model, values)
  return names ? Object.fromEntries(names.map((name) => [name, values[name] ?? null])) : { display }
}
