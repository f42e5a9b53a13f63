import { genericKeys } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Children } from '../../schema/view.ts'
import type { FilteredList } from '../data/count-lists.ts'

/** The list of the children of an object: each filter has a fixed value, or that of a field of the object. */
export function listOfChildren(registry: Registry, { model, by }: Children, object: JsonObject): FilteredList {
  const query = new URLSearchParams()
  for (const [parameter, source] of Object.entries(by)) {
    query.set(parameter, source.startsWith('=') ? source.slice(1) : parameterOf(object[source]))
  }
  return { model: registry.model(model), query }
}

/** The list of the objects of a model whose generic relation leads to an object. */
export const listByRelation =
  (name: string, relation: string) =>
  (registry: Registry, model: Model, { id }: JsonObject): FilteredList => {
    const listed = registry.model(name)
    const field = listed.fields.get(relation)
    if (field?.kind !== 'genericForeignKey') throw new Error(`${name} has no ${relation}`)
    const keys = genericKeys(relation, field)
    const query = new URLSearchParams({ [keys.type]: model.name, [keys.id]: String(id) })
    return { model: listed, query }
  }

/** The lists of several kinds of children. */
export const listsOfChildren = (
  registry: Registry,
  kinds: readonly Children[],
  object: JsonObject,
): readonly FilteredList[] => kinds.map((kind) => listOfChildren(registry, kind, object))

/** The columns of the children's list without the object to which they belong, which would be the same in every row. */
export const columnsOfChildren = (registry: Registry, { model, by, columns }: Children): readonly string[] =>
  columns ?? registry.view(registry.model(model)).columns.filter((column) => by[`${column}_id`] !== 'id')

/** A value in the form for a filter: the id of an object, the value of a choice. */
function parameterOf(value: Json | undefined): string {
  if (isJsonObject(value)) return String(value.id ?? value.value)
  return value === null || value === undefined ? 'null' : String(value)
}
