import type { Json, JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../context.ts'
import { type ObjectReference, objectKey, parentObject, relatedObject } from '../related-object.ts'
import type { StoredRow } from '../rows.ts'
import { objectNames } from './object-names.ts'

/** Names of an object and of related objects, as they were at its deletion. */
export interface ObjectContext extends JsonObject {
  /** The values that identify the object, by field; related objects by their display texts. */
  readonly key: JsonObject
  /** The object to which it belonged. */
  readonly parent: Json
  /** The objects that a cable connected, by side. */
  readonly ends: Json
}

/** Contexts of the rows that are about to be deleted, by `objectKey`. */
export async function objectContexts(
  context: Pick<WriteContext, 'service' | 'transaction'>,
  deleted: ReadonlyMap<Model, readonly StoredRow[]>,
): Promise<ReadonlyMap<string, ObjectContext>> {
  const recorded = [...deleted].filter(([model]) => model.has('changeLogging'))
  const rows = recorded.flatMap(([model, list]) =>
    list.map((row) => ({
      own: { type: model.name, id: row.id },
      key: objectKey(model.name, row.id),
      parent: parentObject(model, row),
    })),
  )
  const sides = endsBySide(recorded)
  const objects = [
    ...rows.flatMap(({ own, parent }) => (parent ? [own, parent] : [own])),
    ...[...sides.values()].flatMap((list) => list.map(({ end }) => end)),
  ]
  const names = await objectNames(context, objects, byId(deleted))
  const describe = ({ type, id }: ObjectReference): JsonObject => ({
    object_type: type,
    object_id: id,
    ...(names.get(objectKey(type, id)) ?? { display: '', key: {} }),
  })
  return new Map(
    rows.map(({ key, parent }): readonly [string, ObjectContext] => {
      const ends = sides.get(key)
      return [
        key,
        {
          key: names.get(key)?.key ?? {},
          parent: parent ? describe(parent) : null,
          ends: ends
            ? Object.fromEntries(
                [...Map.groupBy(ends, ({ side }) => side)].map(([side, list]) => [
                  side,
                  list.map(({ end }) => describe(end)),
                ]),
              )
            : null,
        },
      ]
    }),
  )
}

const byId = (deleted: ReadonlyMap<Model, readonly StoredRow[]>): ReadonlyMap<string, ReadonlyMap<number, StoredRow>> =>
  new Map([...deleted].map(([{ name }, rows]) => [name, new Map(rows.map((row) => [row.id, row]))]))

interface End {
  readonly side: string
  readonly end: ObjectReference
}

/** The objects that the deleted ones connected, by their `objectKey`: the related objects of their ends. */
function endsBySide(deleted: readonly (readonly [Model, readonly StoredRow[]])[]): ReadonlyMap<string, readonly End[]> {
  const ends = new Map<string, End[]>()
  for (const [model, rows] of deleted) {
    const { changeSide } = model.definition
    const holder = changeSide && model.fields.get(changeSide.of)
    if (!changeSide || holder?.kind !== 'foreignKey') continue
    for (const row of rows) {
      const end = relatedObject(model, row)
      if (!end) continue
      const key = objectKey(holder.to, Number(row[changeSide.of]))
      ends.set(key, [...(ends.get(key) ?? []), { side: String(row[changeSide.side]), end }])
    }
  }
  return ends
}
