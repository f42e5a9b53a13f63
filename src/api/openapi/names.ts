import type { Json, JsonObject } from '../../schema/json.ts'

/**
 * Prefix of a path's operation ids: dcim_device_types. Slugs of custom models may differ by nothing but `_` and
 * `-`, so that an underscore of theirs is doubled.
 */
export const operationPrefix = (path: string): string =>
  (path.startsWith('plugins/custom-objects/') ? path.replaceAll('_', '__') : path).replaceAll(/[/-]/g, '_')

/** Content of a body or a response in JSON. */
export const jsonContent = (schema: JsonObject, example?: Json) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
})

/** Reference to a schema of the document. */
export const schemaReference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
