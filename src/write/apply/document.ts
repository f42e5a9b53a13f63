import { invalid, type Messages } from '../../base/errors.ts'
import { asTexts, emptyRecord, isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { deletionMessage } from '../parse/bulk.ts'
import { typedBody } from '../parse/typed-body.ts'
import { type PruneScope, pruneScopeOf } from './prune-scope.ts'

/** Bodies of objects by their model. */
export type Desired = ReadonlyMap<Model, readonly JsonObject[]>

/** The objects, the scope and the message of a document. */
export interface ApplyDocument {
  readonly desired: Desired
  /** The objects to delete if the document does not list them; undefined if it deletes none. */
  readonly scope: PruneScope | undefined
  /** Default message for the change records of objects; '' for none. */
  readonly message: string
}

/**
 * Reads a document `{objects: {<object type>: [body, …]}, prune, changelog_message}`. Throws `invalid` if it has
 * another form, or names a type whose objects cannot be written.
 */
export function readApplyDocument(registry: Registry, document: unknown): ApplyDocument {
  const { objects, prune } = isJsonObject(document) ? document : {}
  const desired = desiredObjects(registry, objects)
  return {
    desired,
    scope: pruneScopeOf(registry, [...desired.keys()], asTexts(prune)),
    message: deletionMessage(document),
  }
}

function desiredObjects(registry: Registry, objects: Json | undefined): Desired {
  if (!isJsonObject(objects)) {
    throw invalid({ objects: ['Expected lists of objects by their object types.'] })
  }
  const desired = new Map<Model, readonly JsonObject[]>()
  const messages = emptyRecord<Messages>()
  for (const [type, list] of Object.entries(objects)) {
    const model = registry.models.get(type)
    if (!model || !isApplied(model)) messages[type] = ['There is no such object type, or it cannot be written.']
    else if (!Array.isArray(list) || !list.every(isJsonObject)) {
      messages[type] = ['Expected a list of objects.']
    } else {
      const bodies = list.map((body) => typedBody(model, body, registry.models))
      desired.set(model, bodies.filter(isJsonObject))
    }
  }
  if (Object.keys(messages).length > 0) throw invalid({ objects: messages })
  return desired
}

/** Whether documents may have objects of the model. */
export const isApplied = ({ path, definition: { methods } }: Model): boolean =>
  path !== '' && (methods === undefined || (methods.includes('POST') && methods.includes('PATCH')))
