import { invalid, type Messages } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'

/** Bodies of objects by their model. */
export type Desired = ReadonlyMap<Model, readonly JsonObject[]>

/**
 * The objects of a document `{objects: {<object type>: [body, …]}}`. Throws `invalid` where it has another form, or names a type whose
 * objects cannot be written.
 */
export function desiredObjects(registry: Registry, document: unknown): Desired {
  const objects = isJsonObject(document) ? document.objects : undefined
  if (!isJsonObject(objects)) {
    throw invalid({ objects: ['Expected lists of objects by their object types.'] })
  }
  const desired = new Map<Model, readonly JsonObject[]>()
  const messages: Record<string, Messages> = {}
  for (const [type, list] of Object.entries(objects)) {
    const model = registry.models.get(type)
    if (!model || !isApplied(model)) messages[type] = ['There is no such object type to write.']
    else if (!Array.isArray(list) || !list.every(isJsonObject)) {
      messages[type] = ['Expected a list of objects.']
    } else desired.set(model, list)
  }
  if (Object.keys(messages).length > 0) throw invalid({ objects: messages })
  return desired
}

/** Whether documents may have objects of the model. */
export const isApplied = ({ path, definition: { methods } }: Model): boolean =>
  path !== '' && (methods === undefined || (methods.includes('POST') && methods.includes('PATCH')))
