import type { ApiRequest } from '../../api/api-request.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { visibleObjects } from './visible-objects.ts'

/** Values of the objects at a path, by id. */
export type ValuesByPath = ReadonlyMap<string, ReadonlyMap<number, Json>>

/** Prefix of names of custom fields. */
export const CUSTOM_FIELD = 'cf_'

/** The fields to request, so that the values at the paths can be shown. */
export const fieldsOfPaths = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.map((path) => (path.startsWith(CUSTOM_FIELD) ? 'custom_fields' : (path.split('.')[0] ?? path)))),
]

/**
 * The values at paths over a relation, `site.region`, and the objects of relations that a response contains only as an
 * id. One read per relation and level, whatever the number of objects; related objects that the sender may not view
 * have no values.
 */
export async function valuesAt(
  request: ApiRequest,
  model: Model,
  objects: readonly JsonObject[],
  paths: readonly string[],
): Promise<ValuesByPath> {
  const far = Map.groupBy(
    paths.filter((path) => path.includes('.')),
    (path) => path.slice(0, path.indexOf('.')),
  )
  const values = new Map<string, ReadonlyMap<number, Json>>()
  const bare = paths.filter((path) => isBareRelation(model, path))
  await Promise.all(
    bare.map(async (path) => {
      const target = targetOf(request, model, path)
      if (!target) return
      const ids = objects.flatMap((object) => idIn(object[path]) ?? [])
      const related = await visibleObjects(request, target, ids, ['id', 'url', 'display'])
      values.set(
        path,
        new Map(
          objects.flatMap((object) => {
            const found = related.get(idIn(object[path]) ?? 0)
            return found ? [[Number(object.id), found] as const] : []
          }),
        ),
      )
    }),
  )
  await Promise.all(
    [...far].map(async ([relation, own]) => {
      const rests = own.map((path) => path.slice(relation.length + 1))
      const target = targetOf(request, model, relation)
      if (!target) return
      const idOf = (object: JsonObject) => idIn(object[relation])
      const ids = objects.flatMap((object) => idOf(object) ?? [])
      const related = await visibleObjects(request, target, ids, ['id', ...fieldsOfPaths(rests)])
      const further = await valuesAt(request, target, [...related.values()], rests)
      for (const [index, rest] of rests.entries()) {
        values.set(
          own[index] ?? rest,
          new Map(
            objects.map((object) => {
              const id = idOf(object)
              const value = id === undefined ? null : (further.get(rest)?.get(id) ?? related.get(id)?.[rest])
              return [Number(object.id), value ?? null]
            }),
          ),
        )
      }
    }),
  )
  return values
}

/** The value of an object at a field, a custom field (`cf_x`) or a path. */
export function valueAt(values: ValuesByPath, object: JsonObject, path: string): Json | undefined {
  if (path.startsWith(CUSTOM_FIELD)) {
    const custom = object.custom_fields
    return isJsonObject(custom) ? custom[path.slice(CUSTOM_FIELD.length)] : undefined
  }
  const related = values.get(path)?.get(Number(object.id))
  return path.includes('.') ? related : (related ?? object[path])
}

const isBareRelation = (model: Model, path: string): boolean => {
  const field = model.fields.get(path)
  return field?.kind === 'foreignKey' && field.bare === true
}

const idIn = (value: Json | undefined): number | undefined => {
  const id = isJsonObject(value) ? value.id : value
  return typeof id === 'number' ? id : undefined
}

function targetOf({ service }: ApiRequest, model: Model, name: string): Model | undefined {
  const field = model.fields.get(name)
  return field && 'to' in field ? service.registry.model(field.to) : undefined
}
