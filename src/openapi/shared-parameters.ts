import { isJsonObject, type Json, type JsonObject } from '../schema/json.ts'

const PARAMETERS = '#/components/parameters/'

/** Path items with references to the parameters that several operations have, and these parameters by name. */
interface Shared {
  readonly paths: JsonObject
  readonly parameters: JsonObject
}

/** Describes each parameter once that several operations have: most of them are filters that all resources have. */
export function shareParameters(paths: JsonObject): Shared {
  const uses = new Map<string, number>()
  mapParameters(paths, (parameter) => {
    const text = JSON.stringify(parameter)
    uses.set(text, (uses.get(text) ?? 0) + 1)
    return parameter
  })
  const references = new Map<string, JsonObject>()
  const parameters: Record<string, Json> = {}
  const shared = mapParameters(paths, (parameter) => {
    const text = JSON.stringify(parameter)
    if ((uses.get(text) ?? 0) < 2) return parameter
    const known = references.get(text)
    if (known) return known
    const name = freeName(String(parameter.name), parameters)
    parameters[name] = parameter
    const reference = { $ref: PARAMETERS + name }
    references.set(text, reference)
    return reference
  })
  return { paths: shared, parameters }
}

/** The document with each parameter where it is used, for programs that read it operation by operation. */
export function inlineParameters(document: JsonObject): JsonObject {
  const { paths, components } = document
  if (!isJsonObject(paths) || !isJsonObject(components)) return document
  const { parameters, ...others } = components
  const shared = isJsonObject(parameters) ? parameters : {}
  const inlined = mapParameters(paths, (parameter) => resolved(parameter, shared))
  return { ...document, paths: inlined, components: others }
}

/** Throws for a reference to nothing. */
function resolved(parameter: JsonObject, parameters: JsonObject): JsonObject {
  const { $ref } = parameter
  if (typeof $ref !== 'string') return parameter
  const found = parameters[$ref.slice(PARAMETERS.length)]
  if (!isJsonObject(found)) throw new Error(`The OpenAPI document has no parameter ${$ref}`)
  return found
}

/** The path items with other parameters. */
const mapParameters = (paths: JsonObject, map: (parameter: JsonObject) => JsonObject): JsonObject =>
  mapObjects(paths, (item) =>
    mapObjects(item, (operation) =>
      Array.isArray(operation.parameters)
        ? { ...operation, parameters: operation.parameters.filter(isJsonObject).map(map) }
        : operation,
    ),
  )

const mapObjects = (object: JsonObject, map: (value: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, isJsonObject(value) ? map(value) : value]),
  )

/** The name, or the name with a number where parameters of other forms have it. */
function freeName(name: string, taken: JsonObject): string {
  let free = name
  for (let number = 2; free in taken; number++) free = `${name}-${number}`
  return free
}
