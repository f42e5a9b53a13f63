import type { Json, JsonObject } from '../../schema/json.ts'

const SCHEMAS = '#/components/schemas/'

/** The schemas that the document refers to, directly or through other schemas. */
export function reachableSchemas(parts: readonly JsonObject[], schemas: JsonObject): JsonObject {
  const reachable: Record<string, Json> = {}
  const visit = (json: Json): void => {
    if (typeof json !== 'object' || json === null) return
    for (const [name, value] of Object.entries(json)) {
      if (name !== '$ref' || typeof value !== 'string') visit(value)
      else if (value.startsWith(SCHEMAS)) {
        const target = value.slice(SCHEMAS.length)
        const schema = schemas[target]
        if (!schema) throw new Error(`The OpenAPI document has no schema ${target}`)
        if (reachable[target]) continue
        reachable[target] = schema
        visit(schema)
      }
    }
  }
  parts.forEach(visit)
  return reachable
}
