import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'

/** The bodies in groups, each after those that its objects refer to within the same model: parents before their children. */
export function levelsOf(
  model: Model,
  bodies: readonly JsonObject[],
): readonly (readonly JsonObject[])[] {
  const own = [...model.fields].flatMap(([name, field]) =>
    field.kind === 'foreignKey' && field.to === model.name ? [name] : [],
  )
  if (own.length === 0) return [bodies]
  const levels = new Map<JsonObject, number>()
  const find = finderOf(bodies)
  const levelOf = (body: JsonObject, seen: ReadonlySet<JsonObject>): number => {
    const known = levels.get(body)
    if (known !== undefined || seen.has(body)) return known ?? 0
    const within = new Set([...seen, body])
    const parents = own.flatMap((name) => find(body[name]))
    const level = Math.max(0, ...parents.map((parent) => levelOf(parent, within) + 1))
    levels.set(body, level)
    return level
  }
  for (const body of bodies) levelOf(body, new Set())
  const groups = Map.groupBy(bodies, (body) => levels.get(body) ?? 0)
  return [...groups].toSorted(([one], [other]) => one - other).map(([, list]) => list)
}

/** Finds the bodies that have the attributes of a reference: by an index for each set of attribute names. */
function finderOf(bodies: readonly JsonObject[]): (reference: unknown) => readonly JsonObject[] {
  const indexes = new Map<string, ReadonlyMap<string, readonly JsonObject[]>>()
  const valuesOf = (names: readonly string[], object: JsonObject): string =>
    JSON.stringify(names.map((name) => object[name] ?? null))
  return (reference) => {
    if (!isJsonObject(reference)) return []
    const names = Object.keys(reference).toSorted()
    const signature = names.join()
    const index = indexes.get(signature) ?? Map.groupBy(bodies, (body) => valuesOf(names, body))
    indexes.set(signature, index)
    return index.get(valuesOf(names, reference)) ?? []
  }
}
